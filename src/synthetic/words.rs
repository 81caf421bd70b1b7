//! The word bank: everything a synthetic text is made of.
//!
//! Each list of words is ordered from the commonest to the rarest, because [`Dice::skewed`](super::dice::Dice::skewed) draws
//! its first words in every other text and its last in hardly any: a search for `education` must have very many matches and
//! one for `mycology` very few. Plurals, -ing forms, hyphens, apostrophes and accents are there for stemming and folding to
//! work on. The proper names are made up.

/// What programmes are about.
pub(super) const TOPICS: &[&str] = &[
    "education", "health", "research", "housing", "community development", "workforce training", "agriculture",
    "small business", "energy", "water quality", "transportation", "public safety", "arts", "child care",
    "mental health", "conservation", "broadband", "climate resilience", "food security", "nutrition",
    "disaster recovery", "public libraries", "literacy", "infrastructure", "economic development", "early learning",
    "after-school programs", "vocational training", "farmers' markets", "wildlife habitats", "clean energy",
    "air quality", "watershed restoration", "substance use treatment", "maternal health", "women's health",
    "historic preservation", "museums", "children's museums", "theatre and dance", "music teaching",
    "veterans' services", "aging services", "home repair", "homelessness prevention", "rural hospitals", "telehealth",
    "nursing", "dental clinics", "food banks", "school meals", "community gardens", "urban forestry",
    "parks and trails", "recycling", "composting", "brownfields cleanup", "drinking water", "wastewater systems",
    "flood control", "wildfire prevention", "forest thinning", "soil health", "grazing lands", "organic farming",
    "aquaculture", "fisheries", "coastal wetlands", "coral reefs", "river crossings", "bridges", "bicycling",
    "transit planning", "electric buses", "charging stations", "solar roofs", "wind turbines", "battery storage",
    "weatherization", "microenterprise", "export promotion", "advanced manufacturing", "apprenticeships",
    "adult literacy", "language learning", "science fairs", "engineering", "mathematics teaching", "computing",
    "cybersecurity", "data sharing", "biomedical research", "rare diseases", "vaccination", "epidemiology",
    "legal aid", "victims' services", "re-entry services", "juvenile justice", "emergency planning",
    "search and rescue", "firefighting", "tourism", "cultural exchange", "folk arts", "oral history", "archives",
    "beekeeping", "seed saving", "café kitchens", "crèche places", "puppetry", "glaciology", "archaeology",
    "seismology", "lichenology", "mycology",
];

/// What qualifies a topic or a people.
pub(super) const QUALITIES: &[&str] = &[
    "community-based", "rural", "local", "regional", "sustainable", "innovative", "public", "equitable", "tribal",
    "urban", "affordable", "statewide", "evidence-based", "collaborative", "underserved", "low-income", "emerging",
    "accessible", "coastal", "inclusive", "resilient", "family-owned", "cross-sector", "bilingual", "long-term",
    "nonprofit", "youth-led", "neighborhood", "first-generation", "high-need", "historic", "integrated", "renewable",
    "mobile", "hands-on", "low-carbon", "mountain", "island", "science-based", "seasonal", "remote", "volunteer",
    "multi-year", "intergenerational", "nature-based", "border", "frontier", "indigenous", "refugee", "transboundary",
    "subtropical", "alpine", "naïve", "avant-garde", "subarctic",
];

/// What is done, in the -ing form.
pub(super) const ACTIVITIES: &[&str] = &[
    "strengthening", "expanding", "improving", "building", "supporting", "planning", "training", "developing",
    "advancing", "protecting", "restoring", "teaching", "connecting", "preventing", "reducing", "investing in",
    "modernizing", "piloting", "renovating", "evaluating", "sharing", "measuring", "rebuilding", "financing",
    "growing", "mapping", "recruiting for", "retrofitting", "monitoring", "scaling", "translating", "publishing",
    "digitizing", "commissioning", "harvesting", "repairing", "inoculating", "decommissioning", "transcribing",
];

/// Who benefits.
pub(super) const PEOPLE: &[&str] = &[
    "communities", "families", "students", "children", "small businesses", "schools", "farmers", "residents",
    "nonprofits", "teachers", "young people", "older adults", "veterans", "researchers", "local governments",
    "workers", "tribes", "women", "people with disabilities", "universities", "hospitals", "libraries", "ranchers",
    "first responders", "caregivers", "artists", "parents", "households", "cooperatives", "apprentices", "nurses",
    "immigrants", "entrepreneurs", "museums", "growers", "landowners", "volunteers", "tenants", "scientists",
    "musicians", "midwives", "fishers", "playwrights", "beekeepers", "lighthouse keepers",
];

/// What a programme pays for or leads to.
pub(super) const THINGS: &[&str] = &[
    "services", "projects", "access", "programs", "facilities", "equipment", "partnerships", "technical assistance",
    "jobs", "scholarships", "capacity", "planning studies", "outcomes", "staffing", "curricula", "outreach",
    "buildings", "vehicles", "supplies", "workshops", "fellowships", "demonstrations", "assessments", "surveys",
    "software", "land purchases", "matching funds", "travel", "internships", "exhibitions", "performances",
    "hotlines", "laboratories", "greenhouses", "stipends", "playgrounds", "shelters", "sensors", "culverts",
    "fish ladders", "seismographs", "planetariums",
];

/// What a programme calls itself.
pub(super) const PROGRAMMES: &[&str] = &[
    "grant program", "grants", "program", "initiative", "fund", "partnership grants", "planning grants",
    "pilot program", "cooperative agreement", "challenge", "fellowships", "awards", "innovation fund",
    "competitive grants", "block grants", "capacity grants", "loan program", "accelerator", "scholarships", "prize",
    "résumé workshops", "moonshot",
];

/// Made-up proper names, for named funds and for organisations.
pub(super) const NAMES: &[&str] = &[
    "Harrowgate", "Calderbrook", "Linden Hill", "Ashgrove", "Bright Harbor", "Peña", "Three Pines", "Marrowstone",
    "Copperfield", "Silver Fern", "Tallgrass", "Windmere", "Café Azul", "O'Brannock", "Stonebridge", "Río Claro",
    "Kestrel", "Northlight", "Hollis-Varga", "Juniper", "Bluewater", "Amberley", "Vändell", "Sandoval-Reyes",
    "Evergreen", "Fallow Creek", "Thistledown", "Montaña", "Ironwood", "Larkspur", "D'Aubrey", "Quillon", "Nuñovero",
    "Öster", "Pembrick", "Crête", "Whitlock's Landing", "Zéphyrine",
];

/// Made-up places, also used as cities.
pub(super) const PLACES: &[&str] = &[
    "Cedar Valley", "Lakeshore", "Millbrook", "Fairhaven", "Red Rock", "Eastport", "Prairie View", "San Alvero",
    "Oak Ridge Crossing", "Stillwater Bend", "Cañon Alto", "Granite Falls", "North Fork", "Peña Blanca",
    "Willow Springs", "Saint Orrin", "Harbor Point", "Bear Hollow", "Los Almezos", "Coeur d'Ormes", "Tidewater",
    "Sweetgrass", "Baie-Dorée", "Kettle Moraine", "Hānalua", "Wolf Creek", "Isla Verdín", "Puerto Brisa",
    "Thornfield", "Mesa Quemada", "Zumbrel",
];

/// What funders call themselves.
pub(super) const FUNDER_ENDS: &[&str] = &[
    "Foundation", "Department of Education", "Community Foundation", "Fund", "Department of Health",
    "Charitable Trust", "Office of Economic Development", "Family Foundation", "Arts Council", "Housing Agency",
    "Department of Agriculture", "Energy Commission", "Humanities Council", "Water Board", "Conservancy",
    "Workforce Board", "Endowment", "Department of Transportation", "Giving Circle",
];

/// What recipients call themselves.
pub(super) const RECIPIENT_ENDS: &[&str] = &[
    "Center", "School District", "Association", "Alliance", "Community Services", "University", "Health Clinic",
    "Coalition", "Institute", "Council", "Library", "Food Bank", "Society", "College", "Museum", "Land Trust",
    "Housing Corporation", "Children's Hospital", "Cooperative", "Collective", "Légion", "Observatory",
];

/// Titles.
pub(super) const TITLES: &[&str] = &[
    "{quality} {topic} {programme}",
    "{topic} {programme}",
    "{activity} {quality} {topic}",
    "{topic} and {topic} {programme}",
    "{programme} for {quality} {people}",
    "{activity} {topic} in {place}",
    "{name} {programme} for {topic}",
    "{place} {topic} {programme}",
    "{quality} {topic}: {activity} {thing} for {people}",
    "{name} {quality} {topic} {programme}, round {round}",
    "{activity} {topic} - {thing} and {thing} for {people}",
];

/// Sentences of a summary.
pub(super) const SENTENCES: &[&str] = &[
    "This program supports {quality} {topic} for {people}.",
    "Applicants may request funds for {thing}, {thing} and {thing}.",
    "Priority is given to {quality} projects that serve {people} in {place} and other {quality} areas.",
    "Awards help {people} with {activity} {topic} and {activity} {quality} {thing}.",
    "Eligible activities include {activity} {thing}, {activity} {topic} and {thing} for {people}.",
    "The funder's purpose is {activity} {topic}, so that {quality} {people} have lasting {thing}.",
    "Proposals should describe how {thing} will be measured and how {people} take part in planning.",
    "A match may be required where {thing} or {thing} are purchased.",
    "Funding is available for {round} years, and renewals depend on {thing} delivered to {people}.",
    "Past recipients have used it for {activity} {quality} {topic} and for {activity} {topic}.",
    "Partnerships between {people}, {people} and {quality} organizations are encouraged.",
    "The {name} {programme} began in {place} and now reaches {people} in several states.",
    "It does not pay for {thing}, nor for {activity} {thing} begun before the award.",
    "Webinars on {topic} and {topic} are held for {people} who haven't applied before.",
];

/// What an award is for.
pub(super) const PURPOSES: &[&str] = &[
    "{activity} {topic}",
    "{quality} {topic}",
    "{thing} for {people}",
    "{activity} {thing} for {quality} {people}",
    "general support",
    "{topic} in {place}",
];

/// Marks by which a renamed programme is told from what it was.
pub(super) const REVISIONS: &[&str] = &[
    "(Revised)", "(Amended)", "(Deadline Extended)", "(Second Call)", "(Final Round)", "(Reissued)",
];
