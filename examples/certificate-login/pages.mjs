const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (value) => String(value).replace(/[&<>"']/g, (character) => ESCAPES[character]);

const page = (title, body) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<script type="module" src="/page.js"></script>
</head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>
`;

export const enterPage = () =>
  page(
    'Enter with your certificate',
    `<p>The file, its password and its key stay in this browser. Only the certificate and a signature are sent.</p>
<form id="enter">
<label for="file">Certificate file (.p12 or .pfx)</label>
<input id="file" type="file" accept=".p12,.pfx" required>
<label for="password">Its password</label>
<input id="password" type="password" autocomplete="off" required>
<button>Enter</button>
<p id="status" role="status"></p>
</form>`,
  );

export const insidePage = ({ name, identifier }) =>
  page(
    'You are in',
    `<p>You entered as <strong>${escaped(name)}</strong>${identifier ? `, ${escaped(identifier)}` : ''}.</p>
<form id="leave"><button>Leave</button><p id="status" role="status"></p></form>`,
  );
