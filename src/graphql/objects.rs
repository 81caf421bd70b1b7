//! Lists that are no rows of their own but pieces of one, such as the awards of a recipient: copied as rows are.

use std::borrow::Cow;
use std::marker::PhantomData;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{ContextSelectionSet, ObjectType, OutputType, Positioned, ServerResult, Value};
use serde_json::value::RawValue;

use super::exchange::Exchange;
use super::plan::Plan;

/// A list of objects of a type in `schema/` as the JSON that lies in the index, of which what is selected is copied.
pub(super) struct Objects<T> {
    json: Box<RawValue>,
    of: PhantomData<fn() -> T>,
}

impl<T> Objects<T> {
    pub(super) fn new(json: Box<RawValue>) -> Self {
        Self { json, of: PhantomData }
    }
}

impl<T: ObjectType> OutputType for Objects<T> {
    fn type_name() -> Cow<'static, str> {
        Vec::<T>::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        Vec::<T>::create_type_info(registry)
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        let plan = Plan::of_type(ctx, &T::type_name());
        let json = self.json.get().as_bytes();
        if Exchange::of(ctx).merges() {
            return Ok(plan.objects(json));
        }
        let mut out = Vec::with_capacity(json.len());
        plan.write_objects(json, &mut out);
        Ok(Value::Binary(out.into()))
    }
}
