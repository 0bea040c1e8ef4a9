const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (value) => String(value).replace(/[&<>"']/g, (character) => ESCAPES[character]);

/** A template that escapes its values, except those of another template. */
class Markup extends String {}
const html = (texts, ...values) =>
  new Markup(
    String.raw(
      { raw: texts },
      ...values.map((value) =>
        Array.isArray(value) ? value.join('') : value instanceof Markup ? value : escaped(value),
      ),
    ),
  );

const page = (title, body) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>
`;

export const startPage = () =>
  page(
    'Sign a PDF with a cloud certificate',
    html`<form method="post" action="/documents" enctype="multipart/form-data">
<label for="file">The PDF</label>
<input id="file" name="file" type="file" accept="application/pdf" required>
<label for="identifier">Your CPF or CNPJ</label>
<input id="identifier" name="identifier" autocomplete="off" required>
<button>Find my certificate</button>
</form>`,
  );

export const providersPage = (services) =>
  page(
    'Where is your certificate?',
    services.length === 0
      ? html`<p>No provider keeps a certificate of this CPF or CNPJ.</p>${again}`
      : html`<p>Choose the provider. It will ask you to allow one signature.</p>
<ul>${services.map(
          ({ authUrl, serviceInfo }) =>
            html`<li><a href="${authUrl}">${serviceInfo.provider} (${serviceInfo.serviceName})</a></li>`,
        )}</ul>`,
  );

export const signedPage = ({ id, name, signer }) =>
  page(
    'Signed',
    html`<p>${name} is signed by ${signer}.</p>
<p><a href="/documents/${id}/signed.pdf" download>Download the signed PDF</a></p>${again}`,
  );

export const problemPage = (text) => page('It was not signed', html`<p role="alert">${text}</p>${again}`);

const again = html`<p><a href="/">Begin again</a></p>`;
