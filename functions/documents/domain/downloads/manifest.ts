import { type Document, type DocumentState, type FlowEdit, stateAt } from '../document/document.ts';
import type { Evidence } from '../document/evidence.ts';
import { formatCode, verificationPage, verificationUrl } from '../document/verification-code.ts';
import { doerOf } from '../flow/certificate-holder.ts';
import { type FlowAction, isLeft, kindOf, refusalsOf } from '../flow/flow.ts';
import type { Manifest, ManifestEntry } from './drawn/draw-request.ts';
import { ELECTRONIC_CLOSING, ELECTRONIC_LABEL, evidenceLines } from './evidence-texts.ts';
import { brasiliaTime, cpfOf, issuerOf } from './printed-texts.ts';

const STATUS: Readonly<Record<DocumentState, Manifest['status']>> = {
  Pending: { text: 'Pendente', tone: 'waiting' },
  FlowConcluded: { text: 'Em processamento', tone: 'waiting' },
  Concluded: { text: 'Concluído', tone: 'done' },
  Refused: { text: 'Recusado', tone: 'ended' },
  Canceled: { text: 'Cancelado', tone: 'ended' },
  Expired: { text: 'Expirado', tone: 'ended' },
};

const SIGNED =
  'As assinaturas digitais estão no arquivo eletrônico assinado. Esse arquivo também pode ser conferido por outro ' +
  'verificador de assinaturas, como o VALIDAR, do ITI (validar.iti.gov.br).';
const NOT_SIGNED = 'O documento não tem assinatura digital até este momento.';

/** The values of a manifest that its document does not have. */
export type ManifestContext = {
  readonly sha256: string;
  readonly organizationName: string | null;
  readonly nowMs: number;
  /** Of its electronic signatures. */
  readonly chain: readonly Evidence[];
  readonly note?: string;
};

export function manifestOf(
  document: Document,
  { sha256, organizationName, nowMs, chain, note }: ManifestContext,
): Manifest {
  const { id, code, original, createdAtMs, statusUpdateReason: reason } = document;
  const state = stateAt(document, nowMs);
  const hasEnded = STATUS[state].tone === 'ended';
  const fact = (label: string, value: string | null, isCode = false) =>
    value ? [{ label, value, isCode }] : [];
  return {
    name: document.name,
    status: STATUS[state],
    facts: [
      ...fact('Identificador', id, true),
      ...fact('Arquivo original', original.name),
      ...fact('SHA-256 do original', sha256, true),
      ...fact('Organização', organizationName),
      ...fact('Criado em', brasiliaTime(createdAtMs)),
      ...(hasEnded ? fact('Motivo', reason) : []),
    ],
    parts: (document.parts ?? []).map(({ name, startPage, pages, sha256: hash }) => ({
      name,
      pages: pages === 1 ? `Página ${startPage}` : `Páginas ${startPage} a ${startPage + pages - 1}`,
      sha256: hash,
    })),
    entries: document.flow
      .toSorted((a, b) => a.step - b.step)
      .flatMap((action) => entriesOf(action, hasEnded, chain))
      .concat((document.flowEdits ?? []).map(editEntry)),
    verification: { code: formatCode(code), page: verificationPage(), url: verificationUrl(code) },
    note: note ?? null,
    closing: closingOf(document),
  };
}

function closingOf({ signed, flow }: Document): string {
  const done = flow.flatMap(({ completions }) => completions);
  const isElectronic = done.some(({ evidence }) => evidence !== undefined);
  const hasCertificate = done.some(({ certificate }) => certificate !== null);
  if (!isElectronic) return signed ? SIGNED : NOT_SIGNED;
  return hasCertificate ? `${ELECTRONIC_CLOSING} ${SIGNED}` : ELECTRONIC_CLOSING;
}

const WORDS = {
  signature: {
    done: 'Assinatura digital',
    awaited: 'Assinatura pendente',
    later: 'Assinatura futura',
    plural: 'assinaturas',
  },
  approval: {
    done: 'Aprovação',
    awaited: 'Aprovação pendente',
    later: 'Aprovação futura',
    plural: 'aprovações',
  },
} as const;

function entriesOf(action: FlowAction, hasEnded: boolean, chain: readonly Evidence[]): ManifestEntry[] {
  const words = WORDS[kindOf(action)];
  const title = action.title ?? action.ruleName;
  const about = title ? [title] : [];
  const done = action.completions.map((completion): ManifestEntry => {
    const { name, namedAs } = doerOf(completion);
    return {
      tone: 'done',
      label: completion.evidence ? ELECTRONIC_LABEL : words.done,
      name,
      date: brasiliaTime(completion.atMs),
      facts: [
        ...about,
        ...cpfOf(completion.by),
        ...(namedAs === null ? [] : [`Nome no fluxo: ${namedAs}`]),
        ...issuerOf(completion.certificate),
        ...evidenceLines(completion, chain),
      ],
    };
  });
  const refused = refusalsOf(action).map(
    ({ by, atMs, reason }): ManifestEntry => ({
      tone: 'ended',
      label: 'Recusa',
      name: by.name,
      date: brasiliaTime(atMs),
      facts: [...about, ...cpfOf(by), `Motivo: ${reason}`],
    }),
  );
  const ended = action.refusal !== null || action.state === 'Completed';
  return [...done, ...refused, ...(ended ? [] : [awaitedEntry(action, about, hasEnded)])];
}

/** An edit of the flow, with the names of those whom it is about. */
function editEntry({ by, atMs, added, changed, removed }: FlowEdit): ManifestEntry {
  const fact = (label: string, parts: FlowEdit['added']): string[] =>
    parts.length === 0 ? [] : [`${label}: ${parts.flatMap(({ names }) => names).join(', ')}`];
  return {
    tone: 'later',
    label: 'Alteração do fluxo',
    name: by.name,
    date: brasiliaTime(atMs),
    facts: [...fact('Incluído', added), ...fact('Alterado', changed), ...fact('Retirado', removed)],
  };
}

/** The people still awaited, as one entry: in a rule, any of several. Nobody is awaited once the document has ended. */
function awaitedEntry(action: FlowAction, about: readonly string[], hasEnded: boolean): ManifestEntry {
  const words = WORDS[kindOf(action)];
  const isOpen = action.state === 'Pending' && !hasEnded;
  const missing = action.required - action.completions.length;
  const left = action.people.filter((person) => isLeft(action, person));
  const [first] = left;
  const isOne = action.people.length === 1;
  const counted = `${action.completions.length} de ${action.required} ${words.plural}`;
  return {
    tone: isOpen ? 'waiting' : 'later',
    label: hasEnded ? 'Não é mais necessária' : isOpen ? words.awaited : words.later,
    name: left.map(({ name }) => name).join(missing > 1 ? ', ' : ' ou '),
    date: null,
    facts: [...about, ...(isOne && first ? cpfOf(first) : [counted])],
  };
}
