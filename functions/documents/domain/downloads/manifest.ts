import type { Document, DocumentState } from '../document/document.ts';
import { type FlowAction, kindOf } from '../flow/flow.ts';
import type { Manifest, ManifestEntry } from './drawn/draw-request.ts';
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
  'As assinaturas digitais estão no arquivo eletrônico assinado. Para conferi-las, entregue esse arquivo a um ' +
  'verificador de assinaturas, como o VALIDAR, do ITI (validar.iti.gov.br).';
const NOT_SIGNED = 'O documento não tem assinatura digital até este momento.';

/** The values of a manifest that its document does not have. */
export type ManifestContext = {
  readonly sha256: string;
  readonly organizationName: string | null;
  readonly note?: string;
};

export function manifestOf(
  document: Document,
  { sha256, organizationName, note }: ManifestContext,
): Manifest {
  const { id, original, state, createdAtMs, statusUpdateReason: reason } = document;
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
      ...(STATUS[state].tone === 'ended' ? fact('Motivo', reason) : []),
    ],
    entries: document.flow.toSorted((a, b) => a.step - b.step).flatMap(entriesOf),
    note: note ?? null,
    closing: document.signed ? SIGNED : NOT_SIGNED,
  };
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

function entriesOf(action: FlowAction): ManifestEntry[] {
  const words = WORDS[kindOf(action)];
  const title = action.title ?? action.ruleName;
  const about = title ? [title] : [];
  const done = action.completions.map(
    ({ by, atMs, certificate }): ManifestEntry => ({
      tone: 'done',
      label: words.done,
      name: by.name,
      date: brasiliaTime(atMs),
      facts: [...about, ...cpfOf(by), ...issuerOf(certificate)],
    }),
  );
  if (action.refusal) {
    const { by, atMs, reason } = action.refusal;
    const facts = [...about, ...cpfOf(by), `Motivo: ${reason}`];
    return [...done, { tone: 'ended', label: 'Recusa', name: by.name, date: brasiliaTime(atMs), facts }];
  }
  return action.state === 'Completed' ? done : [...done, awaitedEntry(action, about)];
}

/** The people still awaited, as one entry: in a rule, any of several. */
function awaitedEntry(action: FlowAction, about: readonly string[]): ManifestEntry {
  const words = WORDS[kindOf(action)];
  const isOpen = action.state === 'Pending';
  const left = action.people.filter(({ id }) => !action.completions.some(({ by }) => by.id === id));
  const [first] = left;
  const isOne = action.people.length === 1;
  const counted = `${action.completions.length} de ${action.required} ${words.plural}`;
  return {
    tone: isOpen ? 'waiting' : 'later',
    label: isOpen ? words.awaited : words.later,
    name: left.map(({ name }) => name).join(' ou '),
    date: null,
    facts: [...about, ...(isOne && first ? cpfOf(first) : [counted])],
  };
}
