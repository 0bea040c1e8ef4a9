import type { Visit } from './visits.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (value: string): string => value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

const WORDS = {
  en: {
    title: 'Enter with your certificate',
    intro:
      'The file, its password and its key stay in this browser. Only the certificate and a signature are sent.',
    file: 'Certificate file (.p12 or .pfx)',
    password: 'Its password',
    enter: 'Enter',
    inside: 'You are in',
    enteredAs: 'You entered as',
    leave: 'Leave',
  },
  'pt-BR': {
    title: 'Entre com o seu certificado',
    intro:
      'O arquivo, a senha e a chave ficam neste navegador. Só o certificado e uma assinatura são enviados.',
    file: 'Arquivo do certificado (.p12 ou .pfx)',
    password: 'A senha dele',
    enter: 'Entrar',
    inside: 'Você entrou',
    enteredAs: 'Você entrou como',
    leave: 'Sair',
  },
};

/** The pages in the language that the browser asks for first: English, or else Portuguese. */
export function pagesFor(acceptLanguage = '') {
  const language = /^en\b/i.test(acceptLanguage) ? 'en' : 'pt-BR';
  const words = WORDS[language];
  const page = (title: string, body: string): string => `<!doctype html>
<html lang="${language}">
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

  return {
    enter: () =>
      page(
        words.title,
        `<p>${words.intro}</p>
<form id="enter">
<label for="file">${words.file}</label>
<input id="file" type="file" accept=".p12,.pfx" required>
<label for="password">${words.password}</label>
<input id="password" type="password" autocomplete="off" required>
<button>${words.enter}</button>
<p id="status" role="status"></p>
</form>`,
      ),

    inside: ({ name, identifier }: NonNullable<Visit['person']>) =>
      page(
        words.inside,
        `<p>${words.enteredAs} <strong>${escaped(name)}</strong>${identifier ? `, ${escaped(identifier)}` : ''}.</p>
<form id="leave"><button>${words.leave}</button><p id="status" role="status"></p></form>`,
      ),
  };
}
