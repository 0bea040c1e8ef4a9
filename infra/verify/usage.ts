export const USAGE = `Verifies the signatures of a file: PDF (PAdES), CMS in DER, BER or PEM (CAdES), or XML (XAdES).

  npm run verify -- FILE [options]

  --content FILE     what a detached signature is over
  --trust FILE       the roots to trust, in PEM or DER; repeat it for several.
                     By default the sandbox's, .local/pki/root.crt
  --at TIME          judge certificates as of this time: 2026-01-31T12:00:00Z, or 2026-01-31 for its first moment.
                     By default now. A trusted timestamp in the signature goes before both
  --offline          fetch nothing: judge by what the file holds
  --json             the report as JSON

The exit code is 0 when every signature is valid, 1 when one is not, and 2 when that cannot be told: no signature,
a file that cannot be read, or a certificate whose status nobody tells.
`;
