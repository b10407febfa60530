"""Hardware by tmugen, as a module of LiteX."""

from .core import Core
from .registers import Registers

__all__ = ["Core", "Registers"]
