import { type Api, apiAt } from '../../../../../shared/ui/browser/api.ts';
import { element } from '../../../../../shared/ui/browser/element.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import { translations } from '../../../../../shared/ui/translations.ts';

/** A document that waits for the same person, with a link of its own. */
export type Other = {
  readonly key: string;
  readonly ticket: string;
  readonly name: string;
  readonly actionId: string;
};

const togetherWords = translations({
  with: {
    en: 'You sign these too, with the same certificate:',
    'pt-BR': 'Você assina também, com o mesmo certificado:',
  },
  read: { en: 'Read', 'pt-BR': 'Ler' },
  readOf: { en: (name: string) => `Read ${name}`, 'pt-BR': (name: string) => `Ler ${name}` },
  sign: {
    en: (count: number) => (count === 1 ? 'Sign the document' : `Sign the ${count} documents`),
    'pt-BR': (count: number) => (count === 1 ? 'Assinar o documento' : `Assinar os ${count} documentos`),
  },
});

/** A document in a list: whether it is chosen, its name, where it is read, and what became of it. */
export function rowOf(other: Other, canChoose: boolean) {
  const words = togetherWords(language);
  const box = element('input', { type: 'checkbox' });
  const state = element('span', { className: 'faint', with: { role: 'status' } });
  const name = element('strong', {}, other.name);
  const read = element(
    'a',
    { href: addressOf(other), target: '_blank', with: { 'aria-label': words.readOf(other.name) } },
    words.read,
  );
  const label = canChoose ? element('label', { className: 'way' }, box, name) : name;
  const tell = (text: string): void => {
    state.textContent = text;
  };
  return { other, box, tell, item: element('li', {}, label, element('span', {}, read, ' ', state)) };
}

// The page of an action is at /document/key/{key}/action.
const addressOf = ({ key, ticket }: Other): string =>
  `../${encodeURIComponent(key)}/action?${new URLSearchParams({ ticket, lang: language })}`;

/** The address of a document's operations, by that of the page's own. */
export const rootOf = (pageRoot: string, { key }: Pick<Other, 'key'>): string =>
  `${pageRoot.slice(0, pageRoot.lastIndexOf('/'))}/${encodeURIComponent(key)}`;

/** The operations of another document. */
export const apiOf = (pageRoot: string, other: Pick<Other, 'key'>): Api => apiAt(rootOf(pageRoot, other));

export const keyOf = (pageRoot: string): string =>
  decodeURIComponent(pageRoot.slice(pageRoot.lastIndexOf('/') + 1));

// What was chosen is remembered by this tab alone, on the way to the first of the documents and to a provider and back.
const KEPT = 'sinete-together';

/** Leads to the page of the first document, where the others are signed with it. */
export function openTogether([first, ...others]: readonly Other[]): void {
  if (!first) return;
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ key: first.key, others }));
  } catch {} // A browser that remembers nothing signs the first alone.
  location.assign(addressOf(first));
}

function chosenWith(key: string): readonly Other[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
    return kept?.key === key ? kept.others : [];
  } catch {
    return [];
  }
}

/** Forgets what was chosen: it is signed, or is to be chosen anew. */
export function forgetTogether(): void {
  try {
    sessionStorage.removeItem(KEPT);
  } catch {}
}

/** Shows what is signed together with the page's document, and tells which of it is still chosen. */
export function mountTogether(form: HTMLFormElement, pageRoot: string) {
  const words = togetherWords(language);
  const rows = chosenWith(keyOf(pageRoot)).map((other) => rowOf(other, true));
  const chosen = () => rows.filter(({ box }) => box.checked).map(({ other }) => other);
  const label = () => (rows.length === 0 ? undefined : words.sign(1 + chosen().length));
  if (rows.length === 0) return { chosen, label };
  for (const { box } of rows) box.checked = true;
  form
    .querySelector('fieldset')
    ?.prepend(
      element(
        'div',
        { className: 'others' },
        element('p', {}, words.with),
        element('ul', {}, ...rows.map(({ item }) => item)),
      ),
    );
  return { chosen, label };
}
