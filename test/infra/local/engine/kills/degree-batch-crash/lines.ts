/** A line of the file, and what must become of it: a degree, an error by its code, or nothing. */
export type MixedLine = {
  readonly bytes: Buffer;
  readonly becomes: 'degree' | 'nothing' | { readonly code: string };
};

const INVALID = { code: 'InvalidFields' };

type Degree = Readonly<Record<string, string>>;
type Spoil = (degree: Degree) => MixedLine;

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));

// The ways to be no degree, in the order in which they take turns.
const SPOILT: readonly Spoil[] = [
  ({ studentName }) => ({ bytes: Buffer.from(`${studentName};52998224725`), becomes: INVALID }),
  ({ course: _, ...degree }) => ({ bytes: json(degree), becomes: INVALID }),
  () => ({ bytes: Buffer.from(' '), becomes: 'nothing' }),
  (degree) => ({ bytes: json({ ...degree, instituteId: 'none' }), becomes: { code: 'InstituteNotFound' } }),
  (degree) => ({
    bytes: Buffer.from(JSON.stringify(degree).replace('Aluno', 'João'), 'latin1'),
    becomes: INVALID,
  }),
  (degree) => ({ bytes: json({ ...degree, studentName: 'a'.repeat(1_100_000) }), becomes: INVALID }),
  (degree) => ({
    bytes: json({ ...degree, files: [{ name: 'diploma', content: 'PE90aGVyLz4=' }] }),
    becomes: { code: 'InvalidXml' },
  }),
];

// One line in so many is none of a degree. Those that are too long are few: one in 371.
const SPOILT_EVERY = 53;

export const studentOf = (line: number): string => `Aluno ${line}`;

/** So many lines, bad ones among them. */
export function mixedLines(count: number, instituteId: string): MixedLine[] {
  return Array.from({ length: count }, (_, n) => {
    const degree = {
      studentName: studentOf(n + 1),
      studentCpf: '52998224725',
      course: `Curso ${n % 7}`,
      instituteId,
    };
    const spoil =
      n % SPOILT_EVERY === SPOILT_EVERY - 1
        ? SPOILT[Math.floor(n / SPOILT_EVERY) % SPOILT.length]
        : undefined;
    return spoil?.(degree) ?? { bytes: json(degree), becomes: 'degree' };
  });
}

export const fileOfLines = (lines: readonly MixedLine[]): Buffer =>
  Buffer.concat(lines.flatMap(({ bytes }) => [bytes, Buffer.from('\n')]));
