// Comforts where scripts run. Every page does its work without them.
"use strict";

// A button that copies the text of the element it names.
for (const button of document.querySelectorAll("[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  const status = document.querySelector("[data-copied]");
  const select = () => {
    const range = document.createRange();
    range.selectNodeContents(source);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      // Without TLS a browser has no clipboard to offer.
      await navigator.clipboard.writeText(source.textContent);
      status.textContent = "Copied.";
    } catch {
      select();
      status.textContent = "Selected: copy it with Ctrl+C or ⌘C.";
    }
  });
}

// The page with a new key answers a form. Loading it again would send the form again and make another key: load the list instead.
if (document.querySelector("[data-created]")) {
  history.replaceState(null, "", "/account/keys");
}

// Asks in a dialog what the page behind the link would ask.
const dialog = document.getElementById("revoke-dialog");
if (dialog && typeof dialog.showModal === "function") {
  for (const link of document.querySelectorAll("[data-revoke]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      dialog.querySelector("form").action = link.href;
      dialog.querySelector("[data-name]").textContent = link.dataset.revoke;
      dialog.showModal();
    });
  }
  dialog.querySelector("[data-cancel]").addEventListener("click", () => dialog.close());
}
