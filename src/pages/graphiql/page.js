// The page /graphiql: GraphiQL, asking the listener that it came from.

import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { GraphiQL } from "graphiql";
import "graphiql/style.css";
import "./whole.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

// Editors think in workers, which are files of ours as well.
globalThis.MonacoEnvironment = {
  getWorker: (_, label) => {
    const name = ["graphql", "json"].includes(label) ? label : "editor";
    return new Worker(new URL(`./${name}.worker.js`, import.meta.url), { type: "module" });
  },
};

const FIRST = `# Ask what the catalogue holds.
# Ctrl+Space says what can be asked for, Ctrl+Enter asks.
{
  grants(filter: { status: "open" }, first: 5) {
    totalCount
    nodes {
      title
      deadline
      funder {
        name
      }
    }
    deadlines(by: MONTH, steps: 3) {
      buckets {
        from
        count
      }
    }
  }
}
`;

const page = document.getElementById("graphiql");
const fetcher = createGraphiQLFetcher({ url: page.dataset.endpoint });
const home = createElement(GraphiQL.Logo, null, createElement("a", { href: "/", className: "graphiql-logo-link" }, "Catalogue"));
createRoot(page).render(createElement(GraphiQL, { fetcher, defaultQuery: FIRST }, home));
