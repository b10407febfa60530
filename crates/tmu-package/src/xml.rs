//! A tree of XML elements, and its text.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use std::io;

/// An element with either text or children.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: Option<String>,
    children: Vec<Element>,
}

impl Element {
    /// An empty element.
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), attributes: Vec::new(), text: None, children: Vec::new() }
    }

    /// An element with text.
    pub(crate) fn text(name: &str, text: impl ToString) -> Self {
        Self { text: Some(text.to_string()), ..Self::new(name) }
    }

    /// With an attribute more.
    pub(crate) fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.attributes.push((name.to_owned(), value.to_string()));
        self
    }

    /// With a child more.
    pub(crate) fn child(self, child: Element) -> Self {
        self.children([child])
    }

    /// With more children.
    pub(crate) fn children(mut self, children: impl IntoIterator<Item = Element>) -> Self {
        self.children.extend(children);
        self
    }

    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The text of the first child.
    pub(crate) fn first_text(&self) -> Option<&str> {
        self.children.first()?.text.as_deref()
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let attributes = self.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let start = BytesStart::new(&self.name).with_attributes(attributes);
        if self.text.is_none() && self.children.is_empty() {
            return writer.write_event(Event::Empty(start));
        }
        writer.write_event(Event::Start(start))?;
        if let Some(text) = &self.text {
            writer.write_event(Event::Text(BytesText::new(text)))?;
        }
        for child in &self.children {
            child.write(writer)?;
        }
        writer.write_event(Event::End(BytesEnd::new(&self.name)))
    }
}

/// What is written, as text.
fn written(write: impl FnOnce(&mut Writer<Vec<u8>>) -> io::Result<()>) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let text = write(&mut writer).map(|()| String::from_utf8(writer.into_inner()));
    match text {
        Ok(Ok(text)) => text + "\n",
        failure => unreachable!("writing text to memory cannot fail: {failure:?}"),
    }
}

/// An element by itself.
pub(crate) fn fragment(root: &Element) -> String {
    written(|writer| root.write(writer))
}

/// A document of one element, with a comment in front of it.
pub(crate) fn document(comment: &str, root: &Element) -> String {
    written(|writer| {
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        writer.write_event(Event::Comment(BytesText::new(&format!(" {comment} "))))?;
        root.write(writer)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_elements_are_closed() {
        let root = Element::new("a")
            .with("x", "1 < \"2\"")
            .child(Element::text("b", "p & q"))
            .child(Element::new("c"));
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- why -->\n\
                        <a x=\"1 &lt; &quot;2&quot;\">\n  <b>p &amp; q</b>\n  <c/>\n</a>\n";
        assert_eq!(document("why", &root), expected);
    }
}
