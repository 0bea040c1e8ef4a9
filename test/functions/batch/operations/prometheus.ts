export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};
export type Family = { readonly type: string; readonly help: string; readonly samples: Sample[] };

/**
 * Reads the Prometheus text format 0.0.4, and throws on what a server would refuse: a sample before its TYPE or of
 * another family, a repeated family or series, a broken escape, a line without an end.
 */
export function parsePrometheus(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let current = '';
  let help = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line);
    if (comment) {
      const [, kind, name = '', rest = ''] = comment;
      if (kind === 'HELP') help = rest;
      else {
        if (families.has(name)) throw new Error(`${name} is declared twice.`);
        families.set(name, { type: rest, help, samples: [] });
        current = name;
      }
      continue;
    }
    const sample = parseSample(line);
    const family = families.get(current);
    const suffixes = family?.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    if (!family || !suffixes.some((suffix) => sample.name === current + suffix))
      throw new Error(`${line} is not of ${current}.`);
    const id = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted()]);
    if (seen.has(id)) throw new Error(`${line} is repeated.`);
    seen.add(id);
    family.samples.push(sample);
  }
  return families;
}

function parseSample(line: string): Sample {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0];
  if (name === undefined) throw new Error(`${line} begins with no name.`);
  let at = name.length;
  const labels: Record<string, string> = {};
  if (line[at] === '{') {
    at += 1;
    while (line[at] !== '}') {
      const label = /^[a-zA-Z_][a-zA-Z0-9_]*(?==")/.exec(line.slice(at))?.[0];
      if (label === undefined || label in labels) throw new Error(`${line} has no label at ${at}.`);
      at += label.length + 2;
      let value = '';
      for (; line[at] !== '"'; at++) {
        if (line[at] === undefined) throw new Error(`${line} has a value without an end.`);
        if (line[at] !== '\\') value += line[at];
        else {
          at += 1;
          const unescaped = { '\\': '\\', '"': '"', n: '\n' }[line[at] ?? ''];
          if (unescaped === undefined) throw new Error(`${line} has an unknown escape at ${at}.`);
          value += unescaped;
        }
      }
      labels[label] = value;
      at += 1;
      if (line[at] === ',') at += 1;
      else if (line[at] !== '}') throw new Error(`${line} has no end of its labels.`);
    }
    at += 1;
  }
  const [, number = ''] = /^ (\S+)$/.exec(line.slice(at)) ?? [];
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number);
  if (number === '' || Number.isNaN(value)) throw new Error(`${line} has no value.`);
  return { name, labels, value };
}
