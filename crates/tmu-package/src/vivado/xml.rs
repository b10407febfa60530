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

/// A document of one element, with a comment in front of it.
pub(crate) fn document(comment: &str, root: &Element) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let written = writer
        .write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))
        .and_then(|()| writer.write_event(Event::Comment(BytesText::new(&format!(" {comment} ")))))
        .and_then(|()| root.write(&mut writer));
    let text = written.map(|()| String::from_utf8(writer.into_inner()));
    match text {
        Ok(Ok(text)) => text + "\n",
        failure => unreachable!("writing text to memory cannot fail: {failure:?}"),
    }
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
