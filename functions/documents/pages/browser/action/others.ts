import { type Api, bytesAt } from '../../../../../shared/ui/browser/api.ts';
import { element } from '../../../../../shared/ui/browser/element.ts';
import type { Identity } from '../../../../../shared/ui/browser/open-pkcs12.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import {
  CertificateRefused,
  InputProblem,
  problemOf,
} from '../../../../../shared/ui/browser/signing/problems.ts';
import { cloudWords } from '../../../../../shared/ui/browser/signing/ways/words.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import type { WaySigned } from '../../../../../shared/ways/contract.ts';
import { signDocument } from './sign-document.ts';
import { apiOf, keyOf, type Other, openTogether, rootOf, rowOf } from './together.ts';
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
  sign: { en: 'Sign the chosen documents', 'pt-BR': 'Assinar os escolhidos' },
  signing: { en: 'Signing…', 'pt-BR': 'Assinando…' },
  signed: { en: 'Signed', 'pt-BR': 'Assinado' },
});

type Page = { readonly api: Api; readonly root: string; readonly ticket: string };

/** What a signature leaves for the documents that follow. */
export type JustSigned = {
  /** The token of the signature. */
  readonly proof: string;
  /** The certificate, where the browser has it: it signs whatever the person chooses. */
  readonly identity?: Identity | undefined;
  /** What was chosen to be signed with it, by the permission that its provider gave for all of them. */
  readonly chosen?: readonly Other[];
};

type Row = ReturnType<typeof rowOf>;

const othersOf = (rows: readonly Row[]): Other[] => rows.map(({ other }) => other);

/** Shows what else waits for the person who has just signed, below what the page says of this document. */
export async function showOthers(aside: Element, page: Page, justSigned: JustSigned): Promise<void> {
  const { api, ticket } = page;
  const { proof, identity, chosen = [] } = justSigned;
  const { documents } = await api<{ documents: readonly Other[] }>('others', { ticket, proof });
  if (documents.length === 0) return;
  const words = otherWords(language);
  // A page in a frame stays with its document.
  const canChoose = identity !== undefined || window.top === window;
  const rows = documents.map((other) => rowOf(other, canChoose));
  const button = element('button', { type: 'button', className: 'button wide' }, words.sign);
  const open = () => rows.filter(({ box }) => box.checked && !box.disabled);
  const allow = (): void => {
    button.disabled = open().length === 0;
  };
  for (const { box } of rows) box.addEventListener('change', allow);
  const signAll = async (): Promise<void> => {
    button.disabled = true;
    const signing = open();
    for (const [at, row] of signing.entries())
      await signRow(row, () => signOther(page, justSigned, row.other, othersOf(signing.slice(at + 1))));
    allow();
  };
  button.addEventListener('click', () => (identity ? void signAll() : openTogether(othersOf(open()))));
  const title = words.title(documents.length);
  aside.append(
    element(
      'section',
      { className: 'card others', with: { 'aria-labelledby': 'others' } },
      element('h2', { id: 'others' }, title),
      element('p', { className: 'faint' }, canChoose ? words.together : words.oneByOne),
      element('ul', {}, ...rows.map(({ item }) => item)),
      canChoose ? button : undefined,
    ),
  );
  allow();
  const isChosen = ({ other }: Row) => chosen.some(({ key }) => key === other.key);
  for (const { box } of rows.filter(isChosen)) box.checked = true;
  if (chosen.length > 0) await signAll();
}

async function signRow({ box, tell }: Row, sign: () => Promise<void>): Promise<void> {
  const words = otherWords(language);
  box.disabled = true;
  tell(words.signing);
  try {
    await sign();
    tell(words.signed);
  } catch (error) {
    const { text, reasons } = problemOf(error, refusalProblem);
    tell([text, ...reasons].join(' '));
    box.disabled = false;
    box.checked = false;
  }
}

async function signOther(
  { root, ticket: pageTicket }: Page,
  { identity }: JustSigned,
  other: Other,
  following: readonly Other[],
): Promise<void> {
  const api = apiOf(root, other);
  const { ticket, actionId } = other;
  if (!identity)
    return signInCloud(api, {
      ticket,
      page: { key: keyOf(root), ticket: pageTicket },
      others: following.map(({ key, ticket }) => ({ key, ticket })),
    });
  const content = new URLSearchParams({ ticket });
  await signDocument({
    ...{ api, identity, ticket, actionId },
    readDocument: () => bytesAt(`${rootOf(root, other)}/content?${content}`),
    onStep: () => undefined,
  });
}

async function signInCloud(api: Api, body: object): Promise<void> {
  const { state, errors } = await api<WaySigned>('signature/cloud', body);
  if (state === 'refused') throw new CertificateRefused(errors);
  if (state === 'signed') return;
  const texts = cloudWords(language);
  throw new InputProblem(texts[state in texts ? (state as keyof typeof texts) : 'failed'] || texts.expired);
}
