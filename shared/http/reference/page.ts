import { SEAL_ICON } from '../../brand/icon.ts';

/** Scripts from here only. The viewer sets styles from script, which is what 'unsafe-inline' is for. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The page's addresses are relative, so that it works under any stage prefix. */
export const page = (title: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}: reference</title>
<link rel="icon" href="${SEAL_ICON}">
<body>
<div id="reference"></div>
<script src="v1/viewer.js"></script>
<script src="v1/start.js"></script>
</html>
`;

/**
 * A file of its own, because the policy allows no inline script. Every way out to another host is closed.
 * A key is filled in for whoever opens the page: give one only where everybody may know it.
 */
export const startScript = (key?: string): string => `Scalar.createApiReference('#reference', {
  url: new URL('../openapi/v1.json', location.href).href,
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  defaultOpenAllTags: true,${key === undefined ? '' : prefilled(key)}
});
`;

// By the name that the contract document gives the scheme.
const prefilled = (key: string): string => `
  authentication: {
    preferredSecurityScheme: 'key',
    securitySchemes: { key: { value: ${JSON.stringify(key)} } },
  },`;
