import { language } from '../../../../../../shared/ui/browser/page-language.ts';
import { InputProblem } from '../../../../../../shared/ui/browser/signing/problems.ts';
import type { SessionApi } from './session.ts';
import { sessionWords } from './words.ts';

type Upload = { readonly blobToken: string; readonly partSize: number };

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/** Uploads a file that the person brings, in parts, and adds it to the session. */
export async function bringFile(
  session: SessionApi,
  file: File,
  onProgress: (percent: number) => void,
): Promise<void> {
  if (file.size === 0) throw new InputProblem(sessionWords(language).emptyFile(file.name));
  onProgress(0);
  const { blobToken: token, partSize } = await session.post<Upload>('uploads', {});
  const partETags: string[] = [];
  for (let at = 0; at < file.size; at += partSize) {
    const part = file.slice(at, at + partSize);
    partETags.push(await session.store(`uploads/${token}/${at / partSize}`, part));
    onProgress(Math.round(((at + part.size) / file.size) * 100));
  }
  const contentType = MEDIA_TYPE.test(file.type) ? file.type : '';
  await session.post('files', { name: file.name, contentType, token, partETags });
}
