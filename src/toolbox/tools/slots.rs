//! `set_slot` and `remove_slot`: the tools for the slots of the front matter.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::request::SlotOp;
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, Tool};
use crate::toolbox::retry::{Field, Fields};

/// Gives a slot of your memory this value: a line `name: value` between the `---` lines at the very
/// top, which are made if they are not there. Use it for a fact that has one value at a time, such
/// as the user's name.
/// Example: {"name": "user", "value": "Ada"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SetSlot {
    /// The name of the slot.
    #[schemars(extend("aliases" = "key slot slot_name field"))]
    name: String,
    /// Its value, one line.
    #[schemars(extend("aliases" = "val new_value text content to"))]
    value: String,
}

impl Tool for SetSlot {
    const FIELDS: Fields = &[(Field::Slot, "/name")];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        cx.edit(SlotOp::set(self.name, self.value))
    }
}

/// Removes a slot of your memory, a line `name: value` between the `---` lines at the very top;
/// with the last one these lines go too.
/// Example: {"name": "travel"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RemoveSlot {
    /// The name of the slot.
    #[schemars(extend("aliases" = "key slot slot_name field"))]
    name: String,
}

impl Tool for RemoveSlot {
    const FIELDS: Fields = &[(Field::Slot, "/name")];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        cx.edit(SlotOp::remove(self.name))
    }
}
