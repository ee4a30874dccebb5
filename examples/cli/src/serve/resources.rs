//! Documents as resources: `memdoc://NAME`.

use memdoc::{DocName, MemoryError};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::ErrorData;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

const SCHEME: &str = "memdoc://";
/// What a URI does not hold as it is.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');
const MIME_TYPE: &str = "text/markdown";

/// Returns the URI of a document.
pub(super) fn uri(document: &DocName) -> String {
    format!("{SCHEME}{}", utf8_percent_encode(document.as_str(), ESCAPED))
}

/// Returns the document of a URI.
pub(super) fn document(uri: &str) -> Result<DocName, ErrorData> {
    let name = uri.strip_prefix(SCHEME).and_then(|name| percent_decode_str(name).decode_utf8().ok());
    name.and_then(|name| name.parse().ok())
        .ok_or_else(|| ErrorData::invalid_params(format!("expected a URI such as `{SCHEME}memory`"), None))
}

/// Describes a document for a list.
pub(super) fn resource(document: &DocName) -> Resource {
    Resource::new(uri(document), document.as_str())
        .with_description(format!("The memory document `{document}`"))
        .with_mime_type(MIME_TYPE)
}

/// Describes all documents at once.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCHEME}{{name}}"), "document")
        .with_description("A memory document, by its name")
        .with_mime_type(MIME_TYPE)
}

/// Returns the text of a document as a resource's contents.
pub(super) fn contents(document: &DocName, text: String) -> ResourceContents {
    ResourceContents::text(text, uri(document)).with_mime_type(MIME_TYPE)
}

/// Explains why a document is not read.
pub(super) fn unreadable(error: &MemoryError) -> ErrorData {
    match error {
        MemoryError::UnknownDocument { .. } => ErrorData::resource_not_found(error.to_string(), None),
        _ => ErrorData::internal_error(error.to_string(), None),
    }
}

/// Says that a document is longer than a reply may be.
pub(super) fn too_large(document: &DocName) -> ErrorData {
    let message =
        format!("`{document}` is longer than a reply may be: read it by the tool `memory_read`, page by page");
    ErrorData::invalid_request(message, None)
}
