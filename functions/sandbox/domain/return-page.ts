const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** What a client application would be given when the user comes back to it. */
export function returnPage(query: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(query)
    .map(
      ([name, value]) =>
        `<tr><th scope="row">${escaped(name)}</th><td><code>${escaped(String(value))}</code></td></tr>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Back at the client</title>
<body>
<h1>Back at the client</h1>
<p>The sandbox's client application was opened with these values:</p>
<table>
${rows || '<tr><td>none</td></tr>'}
</table>
</html>
`;
}
