/** A header such as `form-data; name="file"`: its first word in lower case, and its parameters. */
export type HeaderValue = { readonly value: string; readonly parameters: ReadonlyMap<string, string> };

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/** Reads a header whose characters are its bytes, as parsers hand them over. Never throws. */
export function headerValue(header: string): HeaderValue {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of header.matchAll(PARAMETER)) {
    // Only what must be escaped is taken as escaped: some browsers send Windows paths as they are.
    const text = quoted === undefined ? token.trim() : quoted.replace(/\\(["\\])/g, '$1');
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, Buffer.from(text, 'latin1').toString('utf8'));
  }
  return { value: header.split(';', 1)[0]?.trim().toLowerCase() ?? '', parameters };
}

/** The file name, without any folder: the extended one of RFC 5987 where it can be read, else the plain one. */
export function fileNameIn({ parameters }: HeaderValue): string | undefined {
  const name = extended(parameters.get('filename*')) ?? parameters.get('filename');
  const last = name?.split(/[/\\]/).at(-1);
  return last === '.' || last === '..' ? '' : last;
}

// UTF-8'pt-BR'procura%C3%A7%C3%A3o.pdf
function extended(text: string | undefined): string | undefined {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/s.exec(text ?? '') ?? [];
  if (charset.toLowerCase() !== 'utf-8') return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
