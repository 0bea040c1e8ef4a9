import { type Api, apiAt, bytesAt } from '../../../../../shared/ui/browser/api.ts';
import { element } from '../../../../../shared/ui/browser/element.ts';
import type { Identity } from '../../../../../shared/ui/browser/open-pkcs12.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import { problemOf } from '../../../../../shared/ui/browser/signing/problems.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { signDocument } from './sign-document.ts';
import { refusalProblem } from './words.ts';

const otherWords = translations({
  title: {
    en: (count: number) =>
      count === 1
        ? 'Another document waits for your signature'
        : `${count} other documents wait for your signature`,
    'pt-BR': (count: number) =>
      count === 1
        ? 'Outro documento espera sua assinatura'
        : `${count} outros documentos esperam sua assinatura`,
  },
  together: {
    en: 'Read them, choose those that you sign, and sign them with the same certificate.',
    'pt-BR': 'Leia, escolha os que você assina e assine com o mesmo certificado.',
  },
  oneByOne: { en: 'Open each of them to read and sign it.', 'pt-BR': 'Abra cada um para ler e assinar.' },
  read: { en: 'Read', 'pt-BR': 'Ler' },
  readOf: { en: (name: string) => `Read ${name}`, 'pt-BR': (name: string) => `Ler ${name}` },
  sign: { en: 'Sign the chosen documents', 'pt-BR': 'Assinar os escolhidos' },
  signing: { en: 'Signing…', 'pt-BR': 'Assinando…' },
  signed: { en: 'Signed', 'pt-BR': 'Assinado' },
});

type Other = {
  readonly key: string;
  readonly ticket: string;
  readonly name: string;
  readonly actionId: string;
};

/** What a signature leaves for the documents that follow: its token, and the certificate where the browser has it. */
export type JustSigned = { readonly proof: string; readonly identity: Identity | undefined };

type Page = { readonly api: Api; readonly root: string; readonly ticket: string };

/** Shows what else waits for the person who has just signed, below what the page says of this document. */
export async function showOthers(aside: Element, page: Page, { proof, identity }: JustSigned): Promise<void> {
  const { api, ticket } = page;
  const { documents } = await api<{ documents: readonly Other[] }>('others', { ticket, proof });
  if (documents.length === 0) return;
  const words = otherWords(language);
  const rows = documents.map((other) => rowOf(other, identity !== undefined));
  const button = element('button', { type: 'button', className: 'button wide' }, words.sign);
  button.addEventListener('click', async () => {
    if (!identity) return;
    button.disabled = true;
    for (const { box, tell, other } of rows.filter(({ box }) => box.checked && !box.disabled)) {
      box.disabled = true;
      tell(words.signing);
      try {
        await signOther(page, other, identity);
        tell(words.signed);
      } catch (error) {
        const { text, reasons } = problemOf(error, refusalProblem);
        tell([text, ...reasons].join(' '));
        box.disabled = false;
      }
    }
    button.disabled = rows.every(({ box }) => box.disabled);
  });
  const title = words.title(documents.length);
  aside.append(
    element(
      'section',
      { className: 'card others', with: { 'aria-labelledby': 'others' } },
      element('h2', { id: 'others' }, title),
      element('p', { className: 'faint' }, identity ? words.together : words.oneByOne),
      element('ul', {}, ...rows.map(({ item }) => item)),
      identity && button,
    ),
  );
}

// The page of an action is at /document/key/{key}/action.
const addressOf = ({ key, ticket }: Other): string =>
  `../${encodeURIComponent(key)}/action?${new URLSearchParams({ ticket, lang: language })}`;

function rowOf(other: Other, canSign: boolean) {
  const words = otherWords(language);
  const box = element('input', { type: 'checkbox' });
  const state = element('span', { className: 'faint', with: { role: 'status' } });
  const name = element('strong', {}, other.name);
  const read = element(
    'a',
    { href: addressOf(other), target: '_blank', with: { 'aria-label': words.readOf(other.name) } },
    words.read,
  );
  const label = canSign ? element('label', { className: 'way' }, box, name) : name;
  const tell = (text: string): void => {
    state.textContent = text;
  };
  return { other, box, tell, item: element('li', {}, label, element('span', {}, read, ' ', state)) };
}

async function signOther({ root }: Page, other: Other, identity: Identity): Promise<void> {
  const api = apiAt(`${root.slice(0, root.lastIndexOf('/'))}/${encodeURIComponent(other.key)}`);
  const content = new URLSearchParams({ ticket: other.ticket });
  await signDocument({
    ...{ api, identity, ticket: other.ticket, actionId: other.actionId },
    readDocument: () =>
      bytesAt(`${root.slice(0, root.lastIndexOf('/'))}/${encodeURIComponent(other.key)}/content?${content}`),
    onStep: () => undefined,
  });
}
