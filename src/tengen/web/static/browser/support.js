// Says so where a browser is too old: what this needs came in with all else that the app does. A plain script that any
// browser reads, because an old one stops at the first module.
(function () {
  var fits =
    typeof WebAssembly === "object" &&
    typeof BigInt64Array === "function" &&
    typeof AbortSignal === "function" &&
    "any" in AbortSignal &&
    "popover" in HTMLElement.prototype &&
    CSS.supports("color", "light-dark(red, red)");
  if (fits) return;
  document.addEventListener("DOMContentLoaded", function () {
    /** @type {HTMLElement} */ (document.getElementById("outdated")).hidden = false;
  });
})();
