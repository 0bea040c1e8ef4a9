import type { BuildFailure } from 'esbuild';

/**
 * Runs a build of esbuild. An error is one line with the file, the line and the cause.
 * @example const { metafile } = await withShortErrors(() => esbuild.build(options));
 */
export async function withShortErrors<T>(build: () => Promise<T>): Promise<T> {
  try {
    return await build();
  } catch (error) {
    throw new Error(firstMessage(error as BuildFailure), { cause: error });
  }
}

function firstMessage({ errors, message }: Partial<BuildFailure>): string {
  const [first, ...others] = errors ?? [];
  if (!first) return `The build failed: ${message}`;
  const { file, line, column } = first.location ?? {};
  const where = file ? `${file}:${line}:${(column ?? 0) + 1}: ` : '';
  return `The build failed: ${where}${first.text}${others.length ? ` (and ${others.length} more)` : ''}`;
}
