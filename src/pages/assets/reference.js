// Shows the OpenAPI document, and lets its calls be tried.
"use strict";

// The library knows dark only by a class.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

const place = document.getElementById("reference");
window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  supportedSubmitMethods: ["get"],
  // Keys are not kept, and the document is sent to nobody else for checking.
  persistAuthorization: false,
  validatorUrl: null,
});
