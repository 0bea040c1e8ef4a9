import type { Hub } from '@sinete/client';
import type { Document } from './documents.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (value: unknown): string =>
  String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** A template that escapes its values, except those of another template. */
class Markup extends String {}
const html = (texts: TemplateStringsArray, ...values: readonly unknown[]): Markup =>
  new Markup(
    String.raw(
      { raw: texts },
      ...values.map((value) =>
        Array.isArray(value) ? value.join('') : value instanceof Markup ? value : escaped(value),
      ),
    ),
  );

const WORDS = {
  en: {
    title: 'Sign a PDF with a cloud certificate',
    file: 'The PDF',
    identifier: 'Your CPF or CNPJ',
    find: 'Find my certificate',
    where: 'Where is your certificate?',
    nowhere: 'No provider keeps a certificate of this CPF or CNPJ.',
    choose: 'Choose the provider. It will ask you to allow one signature.',
    signed: 'Signed',
    signedBy: (name: string, signer: string) => `${name} is signed by ${signer}.`,
    download: 'Download the signed PDF',
    notSigned: 'It was not signed',
    again: 'Begin again',
    tooLarge: 'The PDF is too large: at most 10 MB.',
    noPdf: 'That file is no PDF.',
    notAllowed: 'The use of the certificate was not allowed.',
    providerFailed: 'The provider failed. Begin again, or choose another one.',
    nothingWaits: 'This browser has no document that waits for this.',
    refused: 'The certificates could not be asked for. Is the CPF or CNPJ right?',
    hubFailed: 'The service of cloud certificates does not answer. Try again later.',
    nothing: 'There is nothing here.',
    failed: 'Something failed here.',
  },
  'pt-BR': {
    title: 'Assine um PDF com um certificado em nuvem',
    file: 'O PDF',
    identifier: 'Seu CPF ou CNPJ',
    find: 'Encontrar meu certificado',
    where: 'Onde está o seu certificado?',
    nowhere: 'Nenhum provedor guarda um certificado deste CPF ou CNPJ.',
    choose: 'Escolha o provedor. Ele pedirá que você autorize uma assinatura.',
    signed: 'Assinado',
    signedBy: (name: string, signer: string) => `${name} foi assinado por ${signer}.`,
    download: 'Baixar o PDF assinado',
    notSigned: 'Não foi assinado',
    again: 'Começar de novo',
    tooLarge: 'O PDF é grande demais: no máximo 10 MB.',
    noPdf: 'Esse arquivo não é um PDF.',
    notAllowed: 'O uso do certificado não foi autorizado.',
    providerFailed: 'O provedor falhou. Comece de novo, ou escolha outro.',
    nothingWaits: 'Este navegador não tem documento que espere por isto.',
    refused: 'Não foi possível procurar os certificados. O CPF ou CNPJ está certo?',
    hubFailed: 'O serviço de certificados em nuvem não responde. Tente mais tarde.',
    nothing: 'Não há nada aqui.',
    failed: 'Algo falhou aqui.',
  },
};

type Problem =
  | 'tooLarge'
  | 'noPdf'
  | 'notAllowed'
  | 'providerFailed'
  | 'nothingWaits'
  | 'refused'
  | 'hubFailed'
  | 'nothing'
  | 'failed';
type Provider = Awaited<ReturnType<Hub['createSession']>>['services'][number];

export type Pages = ReturnType<typeof pagesFor>;

/** The pages in the language that the browser asks for first: English, or else Portuguese. */
export function pagesFor(acceptLanguage = '') {
  const language = /^en\b/i.test(acceptLanguage) ? 'en' : 'pt-BR';
  const words = WORDS[language];
  const again = html`<p><a href="/">${words.again}</a></p>`;
  const page = (title: string, body: Markup): Markup => html`<!doctype html>
<html lang="${language}">
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

  return {
    start: (): Markup =>
      page(
        words.title,
        html`<form method="post" action="/documents" enctype="multipart/form-data">
<label for="file">${words.file}</label>
<input id="file" name="file" type="file" accept="application/pdf" required>
<label for="identifier">${words.identifier}</label>
<input id="identifier" name="identifier" autocomplete="off" required>
<button>${words.find}</button>
</form>`,
      ),

    providers: (services: readonly Provider[]): Markup =>
      page(
        words.where,
        services.length === 0
          ? html`<p>${words.nowhere}</p>${again}`
          : html`<p>${words.choose}</p>
<ul>${services.map(
              ({ authUrl, serviceInfo }) =>
                html`<li><a href="${authUrl}">${serviceInfo.provider} (${serviceInfo.serviceName})</a></li>`,
            )}</ul>`,
      ),

    signed: ({ id, name, signer = '' }: Document): Markup =>
      page(
        words.signed,
        html`<p>${words.signedBy(name, signer)}</p>
<p><a href="/documents/${id}/signed.pdf" download>${words.download}</a></p>${again}`,
      ),

    problem: (problem: Problem): Markup =>
      page(words.notSigned, html`<p role="alert">${words[problem]}</p>${again}`),
  };
}
