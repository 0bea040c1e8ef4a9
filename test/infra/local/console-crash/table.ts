import { parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { randomOf } from './kill-at-random.ts';

/** A line of the table: what it says, and how its report begins where it is refused. */
export type TableLine = {
  readonly line: number;
  readonly name: string;
  readonly cpf: string;
  readonly email: string;
  readonly refused?: { readonly text: string; readonly reported: RegExp };
};

/** A CPF of its own for each number. */
function cpfOf(number: number): string {
  const nine = String(100_000_000 + 7 * number);
  for (let last = 0; last < 100; last += 1) {
    const cpf = parseCpf(`${nine}${String(last).padStart(2, '0')}`);
    if (cpf) return cpf;
  }
  throw new Error(`${nine} has no check digits.`);
}

type Line = Omit<TableLine, 'refused'>;

// The ways to be refused, in the order in which they take turns.
const SPOILT: readonly ((line: Line) => NonNullable<TableLine['refused']>)[] = [
  ({ name, email }) => ({ text: `${name};123;${email}`, reported: /^CPF;is not a CPF;InvalidRequest$/ }),
  ({ name, cpf }) => ({ text: `${name};${cpf};none`, reported: /^e-mail;.+;InvalidRequest$/ }),
  ({ cpf, email }) => ({ text: `\u202eAna;${cpf};${email}`, reported: /^nome;.+;InvalidRequest$/ }),
  ({ name, cpf, email }) => ({
    text: `${name};${cpf};${email};beyond`,
    reported: /^line;has 4 values, and there are 3 columns;InvalidRequest$/,
  }),
  ({ cpf, email }) => ({ text: `"${'a'.repeat(70_000)}";${cpf};${email}`, reported: /^line;is longer than/ }),
];

type TableSize = { readonly lines: number; readonly bad: number; readonly seed: number };

/** A table of people, with bad lines at places that the seed says. */
export function tableOf({ lines, bad, seed }: TableSize): readonly TableLine[] {
  const random = randomOf(seed);
  const spoilt = new Set<number>();
  while (spoilt.size < bad) spoilt.add(Math.floor(random() * lines));
  const order = [...spoilt].toSorted((one, other) => one - other);
  return Array.from({ length: lines }, (_, at) => {
    // The first line has the names of the columns.
    const line = { line: at + 2, name: `Pessoa ${at + 2}`, cpf: cpfOf(at), email: `p${at + 2}@x.example` };
    const spoil = spoilt.has(at) ? SPOILT[order.indexOf(at) % SPOILT.length] : undefined;
    return spoil ? { ...line, refused: spoil(line) } : line;
  });
}

export const csvOf = (lines: readonly TableLine[]): string =>
  [
    'nome;CPF;e-mail',
    ...lines.map(({ name, cpf, email, refused }) => refused?.text ?? `${name};${cpf};${email}`),
    '',
  ].join('\r\n');
