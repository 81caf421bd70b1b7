//! Lists with what can be asked of all their rows together. Each of it is counted only when it is asked for.

use async_graphql::{Context, Object};
use catalogue_schema::Refusal;
use catalogue_schema::insight::{
    AmountDistribution, AmountField, Deadlines, Facet, FunderFacet, IndustryMoney, Interval,
};

use super::connection::Connection;
use super::exchange::or_null;
use super::links::{AwardeeLinks, FunderLinks, GrantLinks, RecipientLinks};
use super::rows::Node;
use crate::error::Error;
use crate::resolvers::insight::FacetField;

/// The most steps of a calendar.
const MOST_STEPS: i32 = 120;

/// The most funders of a facet.
const MOST_FUNDERS: i32 = 100;

/// Grants: a page of them, and what all that match say together.
pub(super) struct GrantConnection(pub(super) Connection<GrantLinks>);

/// Grants: a page of them, and what all that match say together.
#[Object(serial)]
impl GrantConnection {
    #[graphql(flatten)]
    #[expect(clippy::unused_async, reason = "the macro takes only methods that are")]
    async fn page(&self) -> &Connection<GrantLinks> {
        &self.0
    }

    /// How many of the grants have each value of a field.
    async fn facets(&self) -> GrantFacets<'_> {
        GrantFacets(&self.0)
    }

    /// When the deadlines fall that lie ahead.
    async fn deadlines(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The calendar's step.", default_with = "Interval::Month")] by: Interval,
        #[graphql(desc = "How many steps: 1 to 120, beginning with that of the list's instant.", default = 12)]
        steps: i32,
    ) -> Option<Deadlines> {
        let counted = match among("steps", steps, MOST_STEPS) {
            Ok(steps) => self.0.count(move |grants| Ok(grants.deadlines(by, steps))).await,
            Err(refusal) => Err(refusal.into()),
        };
        or_null(ctx, counted)
    }

    /// How an amount is distributed over the grants.
    async fn amounts(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which amount.", default_with = "AmountField::AmountMax")] of: AmountField,
    ) -> Option<AmountDistribution> {
        or_null(ctx, self.0.count(move |grants| Ok(grants.amounts(of)?)).await)
    }

    /// The money of each industry, the largest sum first; the grants that state no industry last.
    async fn money_by_industry(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which amount is summed.", default_with = "AmountField::AmountTotalPool")] of: AmountField,
    ) -> Option<Vec<IndustryMoney>> {
        or_null(ctx, self.0.count(move |grants| Ok(grants.money_by_industry(of)?)).await)
    }
}

/// How many of the grants that match the whole filter have each value of a field.
pub(super) struct GrantFacets<'c>(&'c Connection<GrantLinks>);

/// How many of the grants that match the whole filter have each value of a field.
#[Object(serial)]
impl GrantFacets<'_> {
    /// By the state that applicants may be in.
    async fn state(&self, ctx: &Context<'_>) -> Option<Facet> {
        or_null(ctx, facet(self.0, FacetField::State).await)
    }

    /// By industry.
    async fn industry(&self, ctx: &Context<'_>) -> Option<Facet> {
        or_null(ctx, facet(self.0, FacetField::Industry).await)
    }

    /// By who may apply.
    async fn entity(&self, ctx: &Context<'_>) -> Option<Facet> {
        or_null(ctx, facet(self.0, FacetField::Entity).await)
    }

    /// By status.
    async fn status(&self, ctx: &Context<'_>) -> Option<Facet> {
        or_null(ctx, facet(self.0, FacetField::Status).await)
    }

    /// By funder.
    async fn funder(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many funders: 1 to 100, those with the most grants.", default = 20)] first: i32,
    ) -> Option<FunderFacet> {
        let counted = match among("first", first, MOST_FUNDERS) {
            Ok(most) => self.0.count(move |grants| Ok(grants.funders(most)?)).await,
            Err(refusal) => Err(refusal.into()),
        };
        or_null(ctx, counted)
    }
}

/// Funders: a page of them, and where all that match are.
pub(super) struct FunderConnection(pub(super) Connection<FunderLinks>);

/// Funders: a page of them, and where all that match are.
#[Object(serial)]
impl FunderConnection {
    #[graphql(flatten)]
    #[expect(clippy::unused_async, reason = "the macro takes only methods that are")]
    async fn page(&self) -> &Connection<FunderLinks> {
        &self.0
    }

    /// How many of the funders are in each state.
    async fn states(&self, ctx: &Context<'_>) -> Option<Facet> {
        or_null(ctx, facet(&self.0, FacetField::State).await)
    }
}

/// Recipients: a page of them, and where all that match are.
pub(super) struct RecipientConnection(pub(super) Connection<RecipientLinks>);

/// Recipients: a page of them, and where all that match are.
#[Object(serial)]
impl RecipientConnection {
    #[graphql(flatten)]
    #[expect(clippy::unused_async, reason = "the macro takes only methods that are")]
    async fn page(&self) -> &Connection<RecipientLinks> {
        &self.0
    }

    /// How many of the recipients are in each state.
    async fn states(&self, ctx: &Context<'_>) -> Option<Facet> {
        or_null(ctx, facet(&self.0, FacetField::State).await)
    }
}

/// Those whom a funder has awarded: a page of them, and where all of them are.
pub(super) struct AwardeeConnection(pub(super) Connection<AwardeeLinks>);

/// Those whom a funder has awarded: a page of them, and where all of them are.
#[Object(serial)]
impl AwardeeConnection {
    #[graphql(flatten)]
    #[expect(clippy::unused_async, reason = "the macro takes only methods that are")]
    async fn page(&self) -> &Connection<AwardeeLinks> {
        &self.0
    }

    /// How many of them are in each state.
    async fn states(&self, ctx: &Context<'_>) -> Option<Facet> {
        or_null(ctx, facet(&self.0, FacetField::State).await)
    }
}

async fn facet<N: Node>(list: &Connection<N>, field: FacetField) -> Result<Facet, Error> {
    list.count(move |rows| Ok(rows.facet(field)?)).await
}

/// A number from 1 to `most`, or a refusal of the argument.
fn among(argument: &str, number: i32, most: i32) -> Result<usize, Refusal> {
    let refusal = || Refusal::parameter(argument, format!("it must be a whole number from 1 to {most}"));
    if (1..=most).contains(&number) { usize::try_from(number).map_err(|_| refusal()) } else { Err(refusal()) }
}
