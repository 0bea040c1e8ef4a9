import { files } from '../../../../../shared/files/files.ts';
import { readFile } from '../../../../../shared/files/stored-file.ts';
import type { Sentence } from '../../../../../shared/ui/sentences.ts';
import { refuseBecause, say } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import type { FillOptions } from '../../creating/fill-files.ts';
import type { Drawing, DrawRequest } from '../../downloads/drawn/draw-request.ts';
import { drawInWorker } from '../../downloads/drawn/worker-pool.ts';
import { fileOf, type Upload } from '../../uploads/upload.ts';
import type { Generation } from './generation.ts';
import { columnsIn, fillText, MAX_FILLED_LETTERS } from './patterns.ts';

/** A template that can be used: a PDF, with or without a form, or a text. */
export type Template = Pick<Generation['template'], 'kind' | 'size'> & {
  /** The fields of the form, or the names in the text. */
  readonly names: readonly string[];
};

const FILLING_TIMEOUT_MS = 10_000;
// As many bytes as a text may have letters with its values.
const MAX_TEXT_BYTES = MAX_FILLED_LETTERS;

/** Looks at the file of a template. Refused with TemplateNotUsable. */
export async function inspectTemplate(upload: Upload, options: FillOptions): Promise<Template> {
  const { id: uploadId, organizationId, size, kind } = upload;
  const refuse = (reason: Sentence) => refuseBecause('TemplateNotUsable', reason, { uploadId });
  const isPdf = kind === 'pdf' || kind === 'pdf-inside';
  if (!isPdf) {
    const text = size > MAX_TEXT_BYTES ? undefined : await readText(fileOf(upload));
    if (text === undefined) throw refuse(say('template.other-kind', { bytes: MAX_TEXT_BYTES }));
    return { kind: 'text', size, names: columnsIn(text) };
  }
  if (size > settings['Downloads:MaxDrawnBytes']) throw refuse(say('template.too-large'));
  const original = await readFile('documents', { key: fileOf(upload), size });
  const request = { kind: 'fields', title: '', atMs: options.now(), original } as const;
  const drawing = await drawInWorker(request, FILLING_TIMEOUT_MS, { ...options, organizationId });
  if ('fields' in drawing) return { kind: 'form', size, names: drawing.fields };
  throw refuse(reasonOf(drawing));
}

async function readText(key: string): Promise<string | undefined> {
  const bytes = await files('documents').read(key, MAX_TEXT_BYTES);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

type FillTemplate = {
  readonly title: string;
  readonly values: Readonly<Record<string, string>>;
};

/** Makes the file of one line. `content` is the template. Refused with FormNotFillable and InvalidRequest; throws ThreadsBusy. */
export async function fillTemplate(
  { template, fields, organizationId }: Pick<Generation, 'template' | 'fields' | 'organizationId'>,
  content: Buffer,
  { title, values }: FillTemplate,
  options: FillOptions,
): Promise<Uint8Array> {
  const common = { title, atMs: options.now() };
  const used = Object.fromEntries(fields.map((name) => [name, values[name] ?? '']));
  const request: DrawRequest =
    template.kind === 'text'
      ? { kind: 'text', ...common, text: fillText(content.toString('utf8'), values) }
      : { kind: 'filled', ...common, original: content, fields: used, metadata: {} };
  const draw = () => drawInWorker(request, FILLING_TIMEOUT_MS, { ...options, organizationId });
  const first = await draw();
  // A busy machine may take long for any line. One that is slow by itself is so twice.
  const drawing = 'notDrawn' in first && first.notDrawn === 'too-long' ? await draw() : first;
  if ('bytes' in drawing) return drawing.bytes;
  throw refuseBecause('FormNotFillable', reasonOf(drawing));
}

function reasonOf(drawing: Drawing): Sentence {
  if ('notFilled' in drawing) return drawing.notFilled.explanation;
  if ('notDrawn' in drawing) return say(`pdf.${drawing.notDrawn}`);
  throw new Error('A template was answered as something else.');
}
