//! What leads from one resource to another.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Context, Object};
use catalogue_schema::funder::FunderFields;
use catalogue_schema::{AwardYear, Change, Grant, Recipient, RecipientDetail, Refusal, Requested, Slug, Timestamp};

use super::connection::{Asked, Connection};
use super::cut;
use super::exchange::or_null;
use super::filter::{GrantFilter, OrganisationFilter};
use super::insight::{AwardeeConnection, GrantConnection};
use super::objects::Objects;
use super::rows::{Batch, Linked, Node, Row};
use crate::error::Error;
use crate::resolvers::{Generation, Place, Resource, Traversal, find_all, recipients};

/// A funding programme. A field is null where the source did not say: never zero, an empty list or false.
pub(super) struct GrantLinks {
    funder: Row<FunderLinks>,
}

impl Node for GrantLinks {
    type Fields = Grant;
    const NAME: &'static str = "Grant";
    const PAGE: &'static str = "GrantPage";
    const RESOURCE: Resource = Resource::Grants;
    const LINKS: &'static [&'static str] = &["funder"];
    const HELD: &'static [(&'static str, &'static [&'static str])] = &[("funder", &["slug", "name"])];

    fn of(rows: &Batch) -> Vec<Self> {
        let funders = led_to(rows, Resource::Funders, &["funder", "slug"], |row| cut::value(row, "funder"));
        funders.into_iter().map(|funder| Self { funder }).collect()
    }
}

/// A funding programme. A field is null where the source did not say: never zero, an empty list or false.
#[Object(name = "GrantLinks")]
impl GrantLinks {
    /// Who gives the money.
    async fn funder(&self) -> &Row<FunderLinks> {
        &self.funder
    }
}

/// A funder.
pub(super) struct FunderLinks {
    generation: Arc<Generation>,
    as_of: Timestamp,
    slug: Option<Slug>,
}

impl FunderLinks {
    /// What is asked of a list of this funder's own.
    fn given(&self, filter: Result<Requested, Refusal>, first: Option<i32>, after: Option<String>) -> Asked {
        // Without its slug the list would be everybody's.
        let slug = self.slug.clone().ok_or_else(|| self.generation.nameless_funder().into());
        let given = |slug| Ok(Requested { given_by: Some(slug), ..filter? });
        Asked { filter: slug.and_then(given), first, after }
    }
}

impl Node for FunderLinks {
    type Fields = FunderFields;
    const NAME: &'static str = "Funder";
    const PAGE: &'static str = "FunderPage";
    const RESOURCE: Resource = Resource::Funders;
    const LINKS: &'static [&'static str] = &["grants", "awards"];

    fn of(rows: &Batch) -> Vec<Self> {
        let slugs = rows.rows().map(|row| cut::text(row, &["slug"]).and_then(|slug| slug.parse().ok()));
        let links = |slug| Self { generation: Arc::clone(&rows.generation), as_of: rows.as_of, slug };
        slugs.map(links).collect()
    }
}

/// A funder. A field is null where the source did not say: never zero, an empty text or false.
#[Object(name = "FunderLinks")]
impl FunderLinks {
    /// Its grants, in the order of `grants`, at the instant at which the funder was read.
    async fn grants(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which of its grants.")] filter: Option<GrantFilter>,
        #[graphql(desc = "How many rows: 1 to 100, 20 where it is not given.")] first: Option<i32>,
        #[graphql(desc = "A cursor of this list, after which the page begins.")] after: Option<String>,
    ) -> Option<GrantConnection> {
        let asked = self.given(filter.unwrap_or_default().requested(), first, after);
        or_null(ctx, Connection::read(ctx, &self.generation, self.as_of, asked).map(GrantConnection))
    }

    /// The recipients it has awarded, by name, each with the awards it had of this funder.
    async fn awards(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which recipients.")] filter: Option<OrganisationFilter>,
        #[graphql(desc = "How many rows: 1 to 100, 20 where it is not given.")] first: Option<i32>,
        #[graphql(desc = "A cursor of this list, after which the page begins.")] after: Option<String>,
    ) -> Option<AwardeeConnection> {
        let asked = self.given(filter.unwrap_or_default().requested(), first, after);
        or_null(ctx, Connection::read(ctx, &self.generation, self.as_of, asked).map(AwardeeConnection))
    }
}

/// Who received the money.
pub(super) struct RecipientLinks {
    generation: Arc<Generation>,
    slug: String,
}

impl Node for RecipientLinks {
    type Fields = Recipient;
    const NAME: &'static str = "Recipient";
    const PAGE: &'static str = "RecipientPage";
    const RESOURCE: Resource = Resource::Recipients;
    const LINKS: &'static [&'static str] = &["awardsByYear"];

    fn of(rows: &Batch) -> Vec<Self> {
        let slugs = rows.rows().map(|row| cut::text(row, &["slug"]).unwrap_or_default().to_owned());
        slugs.map(|slug| Self { generation: Arc::clone(&rows.generation), slug }).collect()
    }
}

/// Who received the money. A field is null where the source did not say: never zero, an empty text or false.
#[Object(name = "RecipientLinks")]
impl RecipientLinks {
    /// The awards the catalogue knows of, newest year first. Empty: it knows of none.
    async fn awards_by_year(&self, ctx: &Context<'_>) -> Option<Objects<AwardYear>> {
        let awards = recipients::awards_by_year(&self.generation, &self.slug);
        or_null(ctx, awards.map_err(Into::into)).flatten().map(Objects::new)
    }
}

/// A recipient with what one funder awarded it.
pub(super) struct AwardeeLinks {
    recipient: Row<RecipientLinks>,
}

impl Node for AwardeeLinks {
    type Fields = RecipientDetail;
    const NAME: &'static str = "Awardee";
    const PAGE: &'static str = "AwardeePage";
    const RESOURCE: Resource = Resource::Recipients;
    const LINKS: &'static [&'static str] = &["recipient"];

    fn of(rows: &Batch) -> Vec<Self> {
        let recipients = led_to(rows, Resource::Recipients, &["slug"], |row| row);
        recipients.into_iter().map(|recipient| Self { recipient }).collect()
    }

    fn append(traversal: &Traversal, filter: &Requested, place: Place, out: &mut Vec<u8>) -> Result<(), Error> {
        match &filter.given_by {
            Some(funder) => recipients::append_awards(traversal, place, funder, out)?,
            None => traversal.append_single(place, out),
        }
        Ok(())
    }
}

/// A recipient with what one funder awarded it: `awardsByYear` has the awards of that funder and no others.
#[Object(name = "AwardeeLinks")]
impl AwardeeLinks {
    /// The same recipient, with the awards of every funder.
    async fn recipient(&self) -> &Row<RecipientLinks> {
        &self.recipient
    }
}

/// One thing that moved in the catalogue.
pub(super) struct ChangeLinks {
    record: Row<GrantLinks>,
}

impl Node for ChangeLinks {
    type Fields = Change;
    const NAME: &'static str = "Change";
    const PAGE: &'static str = "ChangeConnection";
    const RESOURCE: Resource = Resource::Changes;
    const LINKS: &'static [&'static str] = &["record"];

    fn of(rows: &Batch) -> Vec<Self> {
        let records = led_to(rows, Resource::Grants, &["slug"], |_| b"null");
        records.into_iter().map(|record| Self { record }).collect()
    }
}

/// One thing that moved in the catalogue.
#[Object(name = "ChangeLinks")]
impl ChangeLinks {
    /// The record as the catalogue holds it. Null: the catalogue no longer holds it, as after a rollback.
    async fn record(&self) -> Option<&Row<GrantLinks>> {
        Some(&self.record).filter(|record| record.is_there())
    }
}

/// The rows that some rows lead to by a slug, which stands in each at `path`: each is read once. One that is not there is what `held`
/// makes of the row itself.
fn led_to<N: Node>(rows: &Batch, to: Resource, path: &[&str], held: impl Fn(&[u8]) -> &[u8]) -> Vec<Row<N>> {
    let slugs: Vec<&str> = rows.rows().map(|row| cut::text(row, path).unwrap_or_default()).collect();
    let found = find_all(&rows.generation, to, slugs.iter().copied());
    let mut batch = Batch::new(Arc::clone(&rows.generation), rows.as_of);
    let mut index_of: HashMap<&str, usize> = HashMap::new();
    let mut indices = Vec::with_capacity(slugs.len());
    for (slug, row) in slugs.iter().copied().zip(rows.rows()) {
        let index = *index_of.entry(slug).or_insert_with(|| {
            batch.push(|out| match found.get(slug) {
                Some(found) => found.append_in_list(out),
                None => out.extend_from_slice(held(row)),
            });
            batch.len() - 1
        });
        indices.push(index);
    }
    let batch = Linked::new(batch);
    indices.into_iter().map(|index| Row::new(Arc::clone(&batch), index)).collect()
}
