export const USAGE = `Verifies the signatures of files: PDF (PAdES), CMS in DER, BER or PEM (CAdES), or XML (XAdES).

  npm run verify -- FILE [options]
  npm run verify -- FILE... FOLDER... [options]

One file is reported in full. Several files, or folders with all that is below them, get a line each and a last line
with counts. In a folder, hidden files and what is no PDF, XML or CMS file are skipped, and contract.pdf.p7s is
verified over contract.pdf.

  --details          the full report on each of several files
  --content FILE     what a detached signature is over; for one file only
  --covers ELEMENT   of an XML document this element must be signed; repeat it for several.
                     By default the whole document must be
  --trust FILE       the roots to trust, in PEM or DER; repeat it for several.
                     By default the sandbox's, .local/pki/root.crt
  --at TIME          judge certificates as of this time: 2026-01-31T12:00:00Z, or 2026-01-31 for its first moment.
                     By default now. A trusted timestamp in the signature goes before both
  --offline          fetch nothing: judge by what the file holds
  --json             the report as JSON; of several files { files, summary }

The exit code is 0 when every signature is valid, 1 when one is not, and 2 when that cannot be told: no signature,
a file that cannot be read, something unsupported or missing, or a certificate whose status nobody tells. Of several
files it is 1 when one is not valid, else 2 when one cannot be told. docs/verification.md explains reports.
`;
