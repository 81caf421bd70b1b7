//! Documents: looked at, parsed, weighed and validated; and remembered, because dashboards ask the same again and again.
//!
//! Two things are remembered apart. A document is the same whatever its variables are, such as the cursor of the next page. Its weight and
//! its validity are not.

use std::sync::{Arc, LazyLock, OnceLock};

use async_graphql::extensions::{
    Extension, ExtensionContext, ExtensionFactory, NextExecute, NextParseQuery, NextPrepareRequest, NextResolve,
    NextValidation, ResolveInfo,
};
use async_graphql::parser::{parse_query, types::ExecutableDocument};
use async_graphql::{Request, Response, ServerError, ServerResult, ValidationResult, Value, Variables};
use moka::sync::Cache;

use super::exchange::Exchange;
use super::tokens;
use super::weight::{Weight, keys_of, operation_of, refusal, weigh};

/// Longer documents are not remembered, in bytes: programs that ask again and again have shorter ones.
const LONGEST_REMEMBERED: usize = 16 * 1024;

/// How many documents are remembered.
const REMEMBERED: u64 = 1_000;

/// Parsed documents by their texts.
static PARSED: LazyLock<Cache<String, Arc<ExecutableDocument>>> = LazyLock::new(|| Cache::new(REMEMBERED));

/// What documents weigh and that they are valid, by text, operation and variables.
static VALID: LazyLock<Cache<String, (Weight, ValidationResult)>> = LazyLock::new(|| Cache::new(REMEMBERED));

/// Reads the documents of requests.
pub(super) struct Documents;

impl ExtensionFactory for Documents {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Reading::default())
    }
}

/// The reading of one request's document.
#[derive(Default)]
struct Reading {
    document: OnceLock<Arc<ExecutableDocument>>,
    key: OnceLock<String>,
    weight: OnceLock<Weight>,
    valid: OnceLock<ValidationResult>,
}

#[async_graphql::async_trait::async_trait]
impl Extension for Reading {
    async fn prepare_request(
        &self,
        ctx: &ExtensionContext<'_>,
        request: Request,
        next: NextPrepareRequest<'_>,
    ) -> ServerResult<Request> {
        let mut request = next.run(ctx, request).await?;
        let document = document(&request.query)?;
        add_defaults(&document, request.operation_name.as_deref(), &mut request.variables);
        self.document.get_or_init(|| document);
        Ok(request)
    }

    async fn parse_query(
        &self,
        ctx: &ExtensionContext<'_>,
        query: &str,
        variables: &Variables,
        // Weighing takes the place of the library's own limit on depth.
        _: NextParseQuery<'_>,
    ) -> ServerResult<ExecutableDocument> {
        let exchange = ctx.data_unchecked::<Arc<Exchange>>();
        let document = self.document.get().map_or_else(|| document(query), |document| Ok(Arc::clone(document)))?;
        let key = self.key.get_or_init(|| key(query, exchange.operation.as_deref(), variables));
        let weight = if let Some((weight, valid)) = VALID.get(key) {
            self.valid.get_or_init(|| valid);
            weight
        } else {
            check_variables(&document, exchange.operation.as_deref(), variables)?;
            weigh(&ctx.schema_env.registry, &document, exchange.operation.as_deref(), variables)?
        };
        self.weight.get_or_init(|| weight);
        exchange.weighed(weight);
        if let Some(operation) = operation_of(&document, exchange.operation.as_deref()) {
            exchange.selects(keys_of(&document, &operation.node.selection_set.node).into_iter().cloned().collect());
        }
        Ok(ExecutableDocument::clone(&document))
    }

    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        if let Some(valid) = self.valid.get() {
            return Ok(*valid);
        }
        let valid = next.run(ctx).await?;
        if let (Some(key), Some(weight)) = (self.key.get(), self.weight.get())
            && key.len() <= LONGEST_REMEMBERED
        {
            VALID.insert(key.clone(), (*weight, valid));
        }
        Ok(valid)
    }

    async fn execute(&self, ctx: &ExtensionContext<'_>, operation: Option<&str>, next: NextExecute<'_>) -> Response {
        ctx.data_unchecked::<Arc<Exchange>>().begin();
        next.run(ctx, operation).await
    }

    async fn resolve(
        &self,
        ctx: &ExtensionContext<'_>,
        info: ResolveInfo<'_>,
        next: NextResolve<'_>,
    ) -> ServerResult<Option<Value>> {
        ctx.data_unchecked::<Arc<Exchange>>().pace.keep().await;
        next.run(ctx, info).await
    }
}

/// The document of a text.
fn document(query: &str) -> ServerResult<Arc<ExecutableDocument>> {
    if let Some(document) = PARSED.get(query) {
        return Ok(document);
    }
    tokens::look_at(query).map_err(|much| refusal("query_too_large", much.reason()))?;
    let document = Arc::new(parse_query(query)?);
    if query.len() <= LONGEST_REMEMBERED {
        PARSED.insert(query.to_owned(), Arc::clone(&document));
    }
    Ok(document)
}

/// What a validation depends on. The debug form quotes every text, so that no two requests have the same.
fn key(query: &str, operation: Option<&str>, variables: &Variables) -> String {
    format!("{operation:?} {variables:?} {query}")
}

/// Gives the variables that are left out the values that the operation has for them. The library does so where it reads arguments, but not
/// where it looks what `@skip` and `@include` say.
fn add_defaults(document: &ExecutableDocument, operation: Option<&str>, variables: &mut Variables) {
    let Some(operation) = operation_of(document, operation) else { return };
    for definition in &operation.node.variable_definitions {
        let name = &definition.node.name.node;
        if let Some(value) = definition.node.default_value()
            && !variables.contains_key(name)
        {
            variables.insert(name.clone(), value.clone());
        }
    }
}

/// Refuses a request that leaves out a variable it must give. What is given is checked where it is used, by validation.
fn check_variables(document: &ExecutableDocument, operation: Option<&str>, variables: &Variables) -> ServerResult<()> {
    let Some(operation) = operation_of(document, operation) else { return Ok(()) };
    for definition in &operation.node.variable_definitions {
        let variable = &definition.node;
        let is_missing = match variables.get(&variable.name.node) {
            Some(value) => *value == Value::Null,
            None => variable.default_value().is_none(),
        };
        if is_missing && !variable.var_type.node.nullable {
            let reason = format!(
                "Variable \"${}\" of required type \"{}\" was not provided.",
                variable.name.node, variable.var_type.node
            );
            return Err(ServerError::new(reason, Some(definition.pos)));
        }
    }
    Ok(())
}
