/** A file to verify, and what it is over where that was chosen with it. */
export type Pair = { readonly file: File; readonly content?: File };

/** A detached signature is called after its content: contract.pdf.p7s goes with contract.pdf. @example pairFiles([...input.files]) */
export function pairFiles(files: readonly File[]): Pair[] {
  const contents = new Set<File>();
  const pairs = files.map((file): Pair => {
    const name = file.name.replace(/\.p7s$/i, '');
    const content = name === file.name ? undefined : files.find((other) => other.name === name);
    if (!content) return { file };
    contents.add(content);
    return { file, content };
  });
  return pairs.filter(({ file }) => !contents.has(file));
}
