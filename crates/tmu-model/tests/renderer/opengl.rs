//! A renderer of OpenGL 3.3 without a window, through EGL: looks texels up with levels of detail that are given.
#![allow(unsafe_code, reason = "OpenGL is called through its foreign functions")]

use crate::cases::{Case, Look};
use glow::HasContext;
use khronos_egl as egl;
use tmu_spec::general::{CompareOp, Filter, Kind, MipFilter};
use tmu_spec::{AddressMode, Format};

/// Mesa's platform without a screen, of `EGL_MESA_platform_surfaceless`.
const PLATFORM_SURFACELESS_MESA: egl::Enum = 0x31DD;
/// Of OpenGL 4.4, which `glow` has no name for.
const MIRROR_CLAMP_TO_EDGE: u32 = 0x8743;
/// Look-ups side by side in the picture that is drawn.
const COLUMNS: usize = 256;

/// What draws, on the thread that made it.
pub(crate) struct Renderer {
    gl: glow::Context,
}

impl Renderer {
    /// Starts the renderer.
    ///
    /// # Errors
    /// What is missing.
    pub(crate) fn new() -> Result<Renderer, String> {
        // By itself llvmpipe weights texels of 8 bits in steps that each round down to 8 bits, and is up to 3 of 255 off.
        // SAFETY: this process runs one test, which has started no thread yet.
        unsafe { std::env::set_var("GALLIVM_PERF", "no_aos_sampling") };
        // SAFETY: the library is EGL's, and stays loaded as long as the process runs (`Renderer` is made once).
        let library = unsafe { egl::DynamicInstance::<egl::EGL1_5>::load_required() };
        let library = library.map_err(|error| format!("EGL 1.5 does not load: {error}"))?;
        let fault = |error: egl::Error| format!("EGL: {error}");
        // SAFETY: this platform takes no native display.
        let display = unsafe {
            library.get_platform_display(PLATFORM_SURFACELESS_MESA, egl::DEFAULT_DISPLAY, &[egl::ATTRIB_NONE])
        };
        let display = display.map_err(fault)?;
        library.initialize(display).map_err(fault)?;
        library.bind_api(egl::OPENGL_API).map_err(fault)?;
        let wanted = [egl::RENDERABLE_TYPE, egl::OPENGL_BIT, egl::SURFACE_TYPE, 0, egl::NONE];
        let config = library.choose_first_config(display, &wanted).map_err(fault)?;
        let config = config.ok_or("EGL has no configuration with OpenGL")?;
        let version = [
            egl::CONTEXT_MAJOR_VERSION,
            3,
            egl::CONTEXT_MINOR_VERSION,
            3,
            egl::CONTEXT_OPENGL_PROFILE_MASK,
            egl::CONTEXT_OPENGL_CORE_PROFILE_BIT,
            egl::NONE,
        ];
        let context = library.create_context(display, config, None, &version).map_err(fault)?;
        library.make_current(display, None, None, Some(context)).map_err(fault)?;
        let address = |name: &str| {
            library.get_proc_address(name).map_or(std::ptr::null(), |function| function as *const _)
        };
        // SAFETY: the context is current, and the addresses are its functions.
        let gl = unsafe { glow::Context::from_loader_function(address) };
        // The display and its context are used until the process ends.
        std::mem::forget(library);
        Ok(Renderer { gl })
    }

    /// Who draws.
    pub(crate) fn name(&self) -> String {
        // SAFETY: the context is current.
        unsafe { self.gl.get_parameter_string(glow::RENDERER) }
    }

    /// Looks up all of a case: R, G, B, A of each.
    pub(crate) fn look_up(&self, case: &Case, looks: &[Look]) -> Vec<[f32; 4]> {
        // SAFETY: the context is current, and every slice is as long as its call takes it to be.
        unsafe {
            let texture = self.texture(case);
            let got = self.draw(case, texture, looks);
            self.gl.delete_texture(texture);
            let error = self.gl.get_error();
            assert_eq!(error, glow::NO_ERROR, "OpenGL reports {error:#x} of {case:?}");
            got
        }
    }

    /// The texture of a case, on texture unit 0.
    unsafe fn texture(&self, case: &Case) -> glow::NativeTexture {
        let (gl, target) = (&self.gl, target(case.texture.kind()));
        let (internal, format, kind) = pixel_format(case);
        // SAFETY: as `look_up` says.
        unsafe {
            let texture = gl.create_texture().expect("a texture");
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(target, Some(texture));
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            for level in 0..case.texture.levels() {
                let [width, height, slices] = case.texture.shape().level_size(level).map(|side| side as i32);
                let at = level as i32;
                let face = |slice| case.picture(level, slice..slice + 1);
                match case.texture.kind() {
                    Kind::D1 => {
                        let bytes = face(0);
                        let data = glow::PixelUnpackData::Slice(Some(&bytes));
                        gl.tex_image_1d(target, at, internal as i32, width, 0, format, kind, data);
                    }
                    Kind::D2 => {
                        let bytes = face(0);
                        let data = glow::PixelUnpackData::Slice(Some(&bytes));
                        gl.tex_image_2d(target, at, internal as i32, width, height, 0, format, kind, data);
                    }
                    Kind::Cube => {
                        for slice in 0..slices as u32 {
                            let bytes = face(slice);
                            let data = glow::PixelUnpackData::Slice(Some(&bytes));
                            let side = glow::TEXTURE_CUBE_MAP_POSITIVE_X + slice;
                            gl.tex_image_2d(side, at, internal as i32, width, height, 0, format, kind, data);
                        }
                    }
                    Kind::D3 | Kind::D2Array => {
                        let bytes = case.picture(level, 0..slices as u32);
                        let data = glow::PixelUnpackData::Slice(Some(&bytes));
                        let inside = internal as i32;
                        gl.tex_image_3d(target, at, inside, width, height, slices, 0, format, kind, data);
                    }
                }
            }
            self.sampler(case, target);
            texture
        }
    }

    unsafe fn sampler(&self, case: &Case, target: u32) {
        let (gl, sampler) = (&self.gl, &case.sampler);
        let min = match (sampler.min, sampler.mip) {
            (Filter::Nearest, MipFilter::None) => glow::NEAREST,
            (Filter::Linear, MipFilter::None) => glow::LINEAR,
            (Filter::Nearest, MipFilter::Nearest) => glow::NEAREST_MIPMAP_NEAREST,
            (Filter::Linear, MipFilter::Nearest) => glow::LINEAR_MIPMAP_NEAREST,
            (Filter::Nearest, MipFilter::Linear) => glow::NEAREST_MIPMAP_LINEAR,
            (Filter::Linear, MipFilter::Linear) => glow::LINEAR_MIPMAP_LINEAR,
            (_, MipFilter::Ripmap) => unreachable!("OpenGL has no ripmaps"),
        };
        let mag = if sampler.mag == Filter::Linear { glow::LINEAR } else { glow::NEAREST };
        let set = |name: u32, value: u32| {
            // SAFETY: as `look_up` says.
            unsafe { gl.tex_parameter_i32(target, name, value as i32) }
        };
        set(glow::TEXTURE_MIN_FILTER, min);
        set(glow::TEXTURE_MAG_FILTER, mag);
        set(glow::TEXTURE_BASE_LEVEL, 0);
        set(glow::TEXTURE_MAX_LEVEL, case.texture.levels() - 1);
        let axes = [glow::TEXTURE_WRAP_S, glow::TEXTURE_WRAP_T, glow::TEXTURE_WRAP_R];
        for (axis, mode) in axes.into_iter().zip(sampler.address) {
            let mode = if case.texture.kind() == Kind::Cube { AddressMode::Clamp } else { mode };
            set(axis, wrap(mode));
        }
        if let Some(compare) = sampler.compare {
            set(glow::TEXTURE_COMPARE_MODE, glow::COMPARE_REF_TO_TEXTURE);
            set(glow::TEXTURE_COMPARE_FUNC, comparison(compare));
        }
        let border = sampler.border.map(|channel| f32::from(channel) / 255.0);
        // SAFETY: as `look_up` says.
        unsafe {
            gl.tex_parameter_f32_slice(target, glow::TEXTURE_BORDER_COLOR, &border);
            if sampler.cube_seamless {
                gl.enable(glow::TEXTURE_CUBE_MAP_SEAMLESS);
            } else {
                gl.disable(glow::TEXTURE_CUBE_MAP_SEAMLESS);
            }
        }
    }

    /// Draws a pixel for each look-up, and reads the picture back.
    unsafe fn draw(&self, case: &Case, texture: glow::NativeTexture, looks: &[Look]) -> Vec<[f32; 4]> {
        let gl = &self.gl;
        let rows = looks.len().div_ceil(COLUMNS);
        let numbers = |of: &dyn Fn(&Look) -> [f32; 4]| {
            let mut all: Vec<f32> = looks.iter().flat_map(of).collect();
            all.resize(4 * rows * COLUMNS, 0.0);
            all
        };
        // SAFETY: as `look_up` says; the picture has four floats for each of its pixels.
        unsafe {
            let program = self.program(&fragment_shader(case));
            gl.use_program(Some(program));
            let places =
                self.table(1, rows, &numbers(&|look| [look.at[0], look.at[1], look.at[2], look.depth]));
            let lods = self.table(2, rows, &numbers(&|look| [look.lod, 0.0, 0.0, 0.0]));
            let picture = self.table(3, rows, &numbers(&|_| [0.0; 4]));
            for (name, unit) in [("textured", 0), ("places", 1), ("lods", 2)] {
                gl.uniform_1_i32(gl.get_uniform_location(program, name).as_ref(), unit);
            }
            let frame = gl.create_framebuffer().expect("a frame buffer");
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(frame));
            let (color, plane) = (glow::COLOR_ATTACHMENT0, glow::TEXTURE_2D);
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, color, plane, Some(picture), 0);
            let corners = gl.create_vertex_array().expect("a vertex array");
            gl.bind_vertex_array(Some(corners));
            gl.viewport(0, 0, COLUMNS as i32, rows as i32);
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            let mut bytes = vec![0; 16 * rows * COLUMNS];
            let into = glow::PixelPackData::Slice(Some(&mut bytes));
            gl.read_pixels(0, 0, COLUMNS as i32, rows as i32, glow::RGBA, glow::FLOAT, into);
            gl.delete_framebuffer(frame);
            gl.delete_vertex_array(corners);
            gl.delete_program(program);
            [places, lods, picture].into_iter().for_each(|table| gl.delete_texture(table));
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(target(case.texture.kind()), Some(texture));
            let float = |bytes: &[u8]| f32::from_ne_bytes(bytes.try_into().expect("four bytes"));
            let pixel = |bytes: &[u8]| [0, 4, 8, 12].map(|at| float(&bytes[at..at + 4]));
            bytes.chunks_exact(16).take(looks.len()).map(pixel).collect()
        }
    }

    /// A picture of floats on a texture unit.
    unsafe fn table(&self, unit: u32, rows: usize, numbers: &[f32]) -> glow::NativeTexture {
        let (gl, plane) = (&self.gl, glow::TEXTURE_2D);
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        // SAFETY: as `look_up` says.
        unsafe {
            let table = gl.create_texture().expect("a texture");
            gl.active_texture(glow::TEXTURE0 + unit);
            gl.bind_texture(plane, Some(table));
            let data = glow::PixelUnpackData::Slice(Some(&bytes));
            let (columns, rows) = (COLUMNS as i32, rows as i32);
            gl.tex_image_2d(plane, 0, glow::RGBA32F as i32, columns, rows, 0, glow::RGBA, glow::FLOAT, data);
            gl.tex_parameter_i32(plane, glow::TEXTURE_MIN_FILTER, glow::NEAREST as i32);
            gl.tex_parameter_i32(plane, glow::TEXTURE_MAG_FILTER, glow::NEAREST as i32);
            table
        }
    }

    unsafe fn program(&self, fragment: &str) -> glow::NativeProgram {
        let gl = &self.gl;
        // SAFETY: as `look_up` says.
        unsafe {
            let program = gl.create_program().expect("a program");
            for (kind, text) in [(glow::VERTEX_SHADER, VERTEX_SHADER), (glow::FRAGMENT_SHADER, fragment)] {
                let shader = gl.create_shader(kind).expect("a shader");
                gl.shader_source(shader, text);
                gl.compile_shader(shader);
                let log = gl.get_shader_info_log(shader);
                assert!(gl.get_shader_compile_status(shader), "{log}\n{text}");
                gl.attach_shader(program, shader);
                gl.delete_shader(shader);
            }
            gl.link_program(program);
            assert!(gl.get_program_link_status(program), "{}", gl.get_program_info_log(program));
            program
        }
    }
}

/// A triangle that covers the picture.
const VERTEX_SHADER: &str = "#version 330 core
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
";

/// Each pixel has a place and a level of its own.
fn fragment_shader(case: &Case) -> String {
    let (sampler, color) = match (case.texture.kind(), case.sampler.compare.is_some()) {
        (Kind::D1, false) => ("sampler1D", "textureLod(textured, at.x, lod)"),
        (Kind::D2, false) => ("sampler2D", "textureLod(textured, at.xy, lod)"),
        (Kind::D3, false) => ("sampler3D", "textureLod(textured, at.xyz, lod)"),
        (Kind::Cube, false) => ("samplerCube", "textureLod(textured, at.xyz, lod)"),
        (Kind::D2Array, false) => ("sampler2DArray", "textureLod(textured, at.xyz, lod)"),
        (Kind::D1, true) => {
            ("sampler1DShadow", "vec4(textureLod(textured, vec3(at.x, 0, at.w), lod), 0, 0, 1)")
        }
        (Kind::D2, true) => {
            ("sampler2DShadow", "vec4(textureLod(textured, vec3(at.xy, at.w), lod), 0, 0, 1)")
        }
        (kind, true) => panic!("OpenGL 3.3 compares no {kind:?} at a level that is given"),
    };
    format!(
        "#version 330 core
uniform {sampler} textured;
uniform sampler2D places;
uniform sampler2D lods;
out vec4 color;
void main() {{
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 at = texelFetch(places, pixel, 0);
    float lod = texelFetch(lods, pixel, 0).r;
    color = {color};
}}
"
    )
}

fn target(kind: Kind) -> u32 {
    match kind {
        Kind::D1 => glow::TEXTURE_1D,
        Kind::D2 => glow::TEXTURE_2D,
        Kind::D3 => glow::TEXTURE_3D,
        Kind::Cube => glow::TEXTURE_CUBE_MAP,
        Kind::D2Array => glow::TEXTURE_2D_ARRAY,
    }
}

/// How texels stand inside, what channels they have outside, and as what.
fn pixel_format(case: &Case) -> (u32, u32, u32) {
    match case.texture.format() {
        Format::Rgba8 if case.texture.is_srgb() => (glow::SRGB8_ALPHA8, glow::RGBA, glow::UNSIGNED_BYTE),
        Format::Rgba8 => (glow::RGBA8, glow::RGBA, glow::UNSIGNED_BYTE),
        Format::R8 => (glow::R8, glow::RED, glow::UNSIGNED_BYTE),
        Format::Rg8 => (glow::RG8, glow::RG, glow::UNSIGNED_BYTE),
        Format::Rgba16 => (glow::RGBA16, glow::RGBA, glow::UNSIGNED_SHORT),
        Format::Rgba32f => (glow::RGBA32F, glow::RGBA, glow::FLOAT),
        Format::D16 => (glow::DEPTH_COMPONENT16, glow::DEPTH_COMPONENT, glow::UNSIGNED_SHORT),
        Format::D32f => (glow::DEPTH_COMPONENT32F, glow::DEPTH_COMPONENT, glow::FLOAT),
        format => panic!("no case has {format:?}"),
    }
}

fn wrap(mode: AddressMode) -> u32 {
    match mode {
        AddressMode::Wrap => glow::REPEAT,
        AddressMode::Clamp => glow::CLAMP_TO_EDGE,
        AddressMode::Mirror => glow::MIRRORED_REPEAT,
        AddressMode::Border => glow::CLAMP_TO_BORDER,
        AddressMode::MirrorOnce => MIRROR_CLAMP_TO_EDGE,
    }
}

fn comparison(compare: CompareOp) -> u32 {
    match compare {
        CompareOp::Never => glow::NEVER,
        CompareOp::Less => glow::LESS,
        CompareOp::Equal => glow::EQUAL,
        CompareOp::Lequal => glow::LEQUAL,
        CompareOp::Greater => glow::GREATER,
        CompareOp::Notequal => glow::NOTEQUAL,
        CompareOp::Gequal => glow::GEQUAL,
        CompareOp::Always => glow::ALWAYS,
    }
}
