/** A seal in wax, with the mark of a signet in it: the icon of every page. */
export const SEAL_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11" fill="#9d2b3a"/>' +
  '<path d="M15.2 9.2c-.6-1-1.8-1.6-3.2-1.6-1.8 0-3.1.9-3.1 2.2 0 3 6.4 1.3 6.4 4.4 0 1.4-1.4 2.3-3.3 2.3-1.5 0-2.8-.6-3.4-1.6" ' +
  'fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/></svg>';

/** The same as an address, for pages whose policy allows images from `data:` only. */
export const SEAL_ICON = `data:image/svg+xml,${encodeURIComponent(SEAL_SVG)}`;
