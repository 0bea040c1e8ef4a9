import { apiAt, RequestRefused } from '../../../../../../shared/ui/browser/api.ts';
import { element, part } from '../../../../../../shared/ui/browser/element.ts';
import { language } from '../../../../../../shared/ui/browser/page-language.ts';
import { transmit } from '../../../../../../shared/ui/browser/transmit.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';

const words = translations({
  waits: { en: 'waits', 'pt-BR': 'aguarda' },
  uploading: { en: (percent: number) => `${percent} %`, 'pt-BR': (percent: number) => `${percent} %` },
  done: { en: 'uploaded', 'pt-BR': 'carregado' },
  tooLarge: {
    en: 'is too large for this service. Nothing was sent of it.',
    'pt-BR': 'é grande demais para este serviço. Nada dele foi enviado.',
  },
  empty: { en: 'is empty. Choose another file.', 'pt-BR': 'está vazio. Escolha outro arquivo.' },
  failed: {
    en: 'was not uploaded. Check your internet and choose it again.',
    'pt-BR': 'não foi carregado. Verifique sua internet e escolha-o de novo.',
  },
})(language);

type Changed = { readonly id: string; readonly link: Link | null };
type Link = { readonly id: string; readonly url: string; readonly headers: Record<string, string> };
type OnProgress = (share: number) => void;

/** Sends files as they are chosen or dropped, one after the other, and shows the draft with them. */
export function wireUploads(saveFirst: () => Promise<void>): void {
  const form = document.querySelector<HTMLFormElement>('#upload');
  if (!form) return;
  const chosen = part('chosen', HTMLInputElement);
  const drop = part('drop', HTMLDivElement);
  const list = part('uploads', HTMLUListElement);
  // Without scripts it sends the chosen files; here they are on their way already.
  for (const plain of form.querySelectorAll<HTMLElement>('.upload-plain')) plain.hidden = true;
  chosen.addEventListener('change', () => void sendAll([...(chosen.files ?? [])]));
  for (const name of ['dragenter', 'dragover'] as const)
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add('over');
    });
  drop.addEventListener('dragleave', () => drop.classList.remove('over'));
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    void sendAll([...(event.dataTransfer?.files ?? [])]);
  });

  let underWay: Promise<void> = Promise.resolve();
  const sendAll = (files: readonly File[]): Promise<void> => {
    const rows = files.map((file) => rowOf(file.name));
    list.append(...rows.map(({ row }) => row));
    underWay = underWay.then(() => send(files, rows));
    return underWay;
  };
  const send = async (files: readonly File[], rows: readonly ReturnType<typeof rowOf>[]): Promise<void> => {
    if (files.length === 0) return;
    await saveFirst();
    let isWrong = false;
    let [address, send] = [form.dataset.changes ?? '', ''];
    try {
      // The first files of a new draft make it.
      const { id } = await apiAt(address.replace(/\/changes$/, ''))<Changed>('changes', {});
      address = `${form.dataset.drafts}/${id}`;
      send = `${form.dataset.send}/${id}`;
    } catch {
      for (const { show } of rows) show(words.failed, true);
      return;
    }
    for (const [index, file] of files.entries()) {
      const shown = rows[index];
      const problem = await sendOne(form, address, file, (share) =>
        shown?.show(words.uploading(Math.floor(share * 100)), false, share),
      );
      shown?.show(problem ?? words.done, problem !== undefined, 1);
      isWrong ||= problem !== undefined;
    }
    // What went wrong stays on the page to be read.
    if (!isWrong) location.href = send;
  };
}

async function sendOne(
  form: HTMLFormElement,
  address: string,
  file: File,
  onProgress: OnProgress,
): Promise<string | undefined> {
  const { maxBytes, maxFormBytes } = form.dataset;
  if (file.size === 0) return words.empty;
  if (file.size > Number(maxBytes)) return words.tooLarge;
  try {
    const isSent =
      file.size > Number(maxFormBytes)
        ? await sendByLink(address, file, onProgress)
        : await sendAsForm(address, file, onProgress);
    return isSent ? undefined : words.failed;
  } catch (error) {
    return error instanceof RequestRefused && error.code === '413' ? words.tooLarge : words.failed;
  }
}

async function sendAsForm(address: string, file: File, onProgress: OnProgress): Promise<boolean> {
  const body = new FormData();
  body.append('file', file);
  return isTaken(await transmit(`${address}/files`, { method: 'POST', body, onProgress }));
}

async function sendByLink(address: string, file: File, onProgress: OnProgress): Promise<boolean> {
  const api = apiAt(address);
  const announced = {
    name: file.name,
    contentType: file.type || 'application/octet-stream',
    size: file.size,
  };
  const { link } = await api<Changed>('changes', { link: announced });
  if (!link) return false;
  const { url, headers } = link;
  if (!isTaken(await transmit(url, { method: 'PUT', headers, body: file, onProgress }))) return false;
  await api('changes', { uploadId: link.id });
  return true;
}

const isTaken = (answer: XMLHttpRequest | undefined): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300;

function rowOf(name: string) {
  const text = element('span', { className: 'faint' }, words.waits);
  const progress = element('progress', { max: 1, value: 0, with: { 'aria-label': name } });
  const row = element('li', {}, element('bdi', {}, name), ' ', progress, ' ', text);
  return {
    row,
    show(what: string, isWrong: boolean, share = 0): void {
      text.textContent = what;
      text.className = isWrong ? 'field-problem' : 'faint';
      progress.value = share;
      progress.hidden = isWrong;
    },
  };
}
