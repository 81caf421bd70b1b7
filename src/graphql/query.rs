//! What can be asked.

use std::sync::Arc;

use async_graphql::{Context, Object, SimpleObject};
use catalogue_schema::insight::ChangeDay;
use catalogue_schema::{Requested, Slug, Timestamp};

use super::connection::{Asked, Connection, same_instant};
use super::exchange::{Exchange, or_null};
use super::filter::{GrantFilter, OrganisationFilter, WindowStart};
use super::insight::{FunderConnection, GrantConnection, RecipientConnection};
use super::links::{ChangeLinks, FunderLinks, GrantLinks, RecipientLinks};
use super::rows::{Batch, Node, Row};
use crate::error::Error;
use crate::resolvers::find_all;
use crate::resolvers::insight::{apart, changes_by_day};

/// The catalogue, to be read. Every list has the filters, the order and the cursors of REST.
///
/// Null means that the source did not say: never zero, false or an empty list. Only a field that could not be answered is null too, and
/// then `errors` says why.
pub(super) struct Query;

/// The catalogue, to be read. Every list has the filters, the order and the cursors of REST.
///
/// Null means that the source did not say: never zero, false or an empty list. Only a field that could not be answered is null too, and
/// then `errors` says why.
#[Object]
impl Query {
    /// Grants: those whose deadline lies ahead, the next first; then those without a deadline; then those whose deadline has passed, the
    /// latest first.
    async fn grants(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which grants.")] filter: Option<GrantFilter>,
        #[graphql(
            desc = "The instant of the list: the catalogue as it stood then. It reaches back as far as generations are kept (`catalogue { keptFrom }`)."
        )]
        as_of: Option<Timestamp>,
        #[graphql(desc = "How many rows: 1 to 100, 20 where it is not given.")] first: Option<i32>,
        #[graphql(desc = "A cursor of this list, here or in REST, after which the page begins.")] after: Option<String>,
    ) -> Option<GrantConnection> {
        let exchange = Exchange::of(ctx);
        let filter = filter.unwrap_or_default().requested().map_err(Into::into);
        let asked = Asked { filter, first, after };
        let read = || {
            let (generation, instant) = match as_of {
                Some(instant) => (exchange.catalogue.as_of("asOf", instant, exchange.now)?, instant),
                None => (Arc::clone(&exchange.generation), exchange.now),
            };
            same_instant(Connection::read(ctx, &generation, instant, asked)?, as_of)
        };
        or_null(ctx, read().map(GrantConnection))
    }

    /// The grant of a slug. Null: there is none.
    async fn grant(&self, ctx: &Context<'_>, #[graphql(desc = "Its slug.")] slug: String) -> Option<Row<GrantLinks>> {
        find(ctx, &slug)
    }

    /// Funders by name.
    async fn funders(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which funders.")] filter: Option<OrganisationFilter>,
        #[graphql(desc = "How many rows: 1 to 100, 20 where it is not given.")] first: Option<i32>,
        #[graphql(desc = "A cursor of this list, here or in REST, after which the page begins.")] after: Option<String>,
    ) -> Option<FunderConnection> {
        let filter = filter.unwrap_or_default().requested().map_err(Into::into);
        let asked = Asked { filter, first, after };
        or_null(ctx, list(ctx, asked).map(FunderConnection))
    }

    /// The funder of a slug. Null: there is none.
    async fn funder(&self, ctx: &Context<'_>, #[graphql(desc = "Its slug.")] slug: String) -> Option<Row<FunderLinks>> {
        find(ctx, &slug)
    }

    /// Recipients by name.
    async fn recipients(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which recipients.")] filter: Option<OrganisationFilter>,
        #[graphql(desc = "How many rows: 1 to 100, 20 where it is not given.")] first: Option<i32>,
        #[graphql(desc = "A cursor of this list, here or in REST, after which the page begins.")] after: Option<String>,
    ) -> Option<RecipientConnection> {
        let filter = filter.unwrap_or_default().requested().map_err(Into::into);
        let asked = Asked { filter, first, after };
        or_null(ctx, list(ctx, asked).map(RecipientConnection))
    }

    /// The recipient of a slug. Null: there is none.
    async fn recipient(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Its slug.")] slug: String,
    ) -> Option<Row<RecipientLinks>> {
        find(ctx, &slug)
    }

    /// The change feed, oldest first. A window that holds more changes than one traversal serves is refused.
    async fn changes(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only changes observed at or after this instant.")] since: Option<WindowStart>,
        #[graphql(desc = "How many rows: 1 to 100, 20 where it is not given.")] first: Option<i32>,
        #[graphql(desc = "A cursor of this list, here or in REST, after which the page begins.")] after: Option<String>,
    ) -> Option<Connection<ChangeLinks>> {
        let filter = Ok(Requested { since: since.map(|WindowStart(since)| since), ..Requested::default() });
        or_null(ctx, list(ctx, Asked { filter, first, after }))
    }

    /// How many changes of each kind were observed on each day, oldest first, days without changes left out. The window may be of any
    /// size.
    async fn changes_by_day(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only changes observed at or after this instant.")] since: Option<WindowStart>,
        #[graphql(desc = "Only changes observed before this instant.")] until: Option<WindowStart>,
    ) -> Vec<ChangeDay> {
        let generation = Arc::clone(&Exchange::of(ctx).generation);
        let instant = |start: Option<WindowStart>| start.map(|WindowStart(start)| start);
        let (since, until) = (instant(since), instant(until));
        apart(move || changes_by_day(&generation, since, until)).await
    }

    /// What is published, and how far back it can be read.
    async fn catalogue(&self, ctx: &Context<'_>) -> Holdings {
        let Exchange { catalogue, generation, now, .. } = Exchange::of(ctx);
        let manifest = generation.manifest();
        let rows = manifest.counts;
        Holdings {
            generation: generation.number(),
            crawled_at: manifest.crawled_at,
            published_at: manifest.publication().at,
            kept_from: catalogue.kept_from().unwrap_or(*now),
            as_of: *now,
            grants: rows.grants,
            funders: rows.funders,
            recipients: rows.recipients,
            awards: rows.awards,
            changes: manifest.publication().log_entries,
        }
    }
}

/// What is published, and how far back it can be read.
#[derive(SimpleObject)]
pub(super) struct Holdings {
    /// The number of the generation that answers.
    generation: u64,
    /// When the crawl was made that it was built from.
    crawled_at: Timestamp,
    /// When it was published.
    published_at: Timestamp,
    /// The earliest instant that `asOf` reaches back to.
    kept_from: Timestamp,
    /// The instant at which this request reads the catalogue.
    as_of: Timestamp,
    /// How many grants it holds.
    grants: u64,
    /// How many funders it holds.
    funders: u64,
    /// How many recipients it holds.
    recipients: u64,
    /// How many awards it holds.
    awards: u64,
    /// How many changes the feed holds.
    changes: u64,
}

fn list<N: Node>(ctx: &Context<'_>, asked: Asked) -> Result<Connection<N>, Error> {
    let exchange = Exchange::of(ctx);
    Connection::read(ctx, &exchange.generation, exchange.now, asked)
}

/// The row of a slug, in the generation that the request keeps.
fn find<N: Node>(ctx: &Context<'_>, slug: &str) -> Option<Row<N>> {
    let exchange = Exchange::of(ctx);
    let slug: Slug = slug.parse().ok()?;
    let found = find_all(&exchange.generation, N::RESOURCE, [slug.as_str()]);
    let mut batch = Batch::new(Arc::clone(&exchange.generation), exchange.now);
    batch.push(|out| {
        if let Some(found) = found.get(slug.as_str()) {
            found.append_in_list(out);
        }
    });
    Some(Row::only(batch)).filter(Row::is_there)
}
