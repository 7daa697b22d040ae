
// ARENA's pages dispatch their token in the event `onauth` once they have loaded, and add listeners for it a moment
// later. If a host answers before a page has loaded, the event would have no listener and the page would stay black. A
// listener that is added after the event is therefore called with it.
(() => {
  const listen = window.addEventListener;
  let passed;
  listen.call(window, "onauth", (event) => {
    passed = event;
  });
  window.addEventListener = function (type, listener, options) {
    listen.call(this, type, listener, options);
    if (type === "onauth" && passed) setTimeout(() => listener(passed));
  };
})();
