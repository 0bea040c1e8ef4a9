import { part } from '../../../../../../../shared/ui/browser/element.ts';
import { createRow, type FileRow, fill, type Words } from './file-row.ts';
import { findJob, type Outcome, sendFile } from './send-file.ts';

// A browser opens six connections to a host: the page itself needs some.
const MAX_AT_ONCE = 3;
// A notification of the store takes seconds.
const LOOK_EVERY_MS = 2_000;
const MAX_LOOKS = 60;

type Target = { readonly profile: string; readonly format: string };
type Queued = { readonly row: FileRow; readonly target: Target };

/** Lets people choose files, and sends them: some at once, each as often as it takes. */
export function wireUpload(form: HTMLFormElement): void {
  const words = JSON.parse(form.dataset.words ?? '{}') as Words;
  const { api = '', jobs = '' } = form.dataset;
  const [input, drop] = [part('files', HTMLInputElement), part('drop', HTMLElement)];
  const [list, send] = [part('uploads', HTMLElement), part('send', HTMLButtonElement)];
  const progress = part('uploads-progress', HTMLElement);
  const many = part('many-files', HTMLElement);
  const chosen = new Set<FileRow>();
  const queue: Queued[] = [];
  let [sending, total, taken] = [0, 0, 0];
  let pausedUntilMs = 0;

  const showTotals = (): void => {
    send.disabled = chosen.size === 0;
    part('uploads-part', HTMLElement).hidden = list.childElementCount === 0;
    many.hidden = list.childElementCount <= Number(many.dataset.moreThan);
    progress.textContent =
      total > 0 ? fill(words.progress, { done: String(taken), total: String(total) }) : '';
  };

  const choose = (files: Iterable<File>): void => {
    for (const file of files) {
      const row = createRow(file, words);
      list.append(row.item);
      if (file.size > Number(form.dataset.maxBytes)) {
        row.showProblem(words.refusals['upload.too-large'] ?? words.refused);
        continue;
      }
      chosen.add(row);
      row.showReady(() => {
        chosen.delete(row);
        row.item.remove();
        showTotals();
        send.focus();
      });
    }
    showTotals();
  };

  const enqueue = (entry: Queued): void => {
    entry.row.showWaiting();
    queue.push(entry);
    void work();
  };

  const work = async (): Promise<void> => {
    while (sending < MAX_AT_ONCE && queue.length > 0 && Date.now() >= pausedUntilMs) {
      const entry = queue.shift();
      if (!entry) return;
      sending += 1;
      void sendOne(entry).finally(() => {
        sending -= 1;
        void work();
      });
    }
  };

  const sendOne = async (entry: Queued): Promise<void> => {
    const { row, target } = entry;
    const outcome = await sendFile(row.file, {
      api,
      ...target,
      maxFormBytes: Number(form.dataset.maxFormBytes),
      onProgress: row.showProgress,
    });
    await conclude(entry, outcome);
    showTotals();
  };

  const conclude = async (entry: Queued, outcome: Outcome): Promise<void> => {
    const { row } = entry;
    const again = (): void => enqueue(entry);
    if (outcome.kind === 'wait') return pause(entry, outcome.seconds);
    if (outcome.kind === 'lost' || outcome.kind === 'notPut')
      return row.showProblem(words[outcome.kind], again);
    if (outcome.kind === 'refused')
      return row.showProblem(
        words.refusals[outcome.code] ?? words.refused,
        outcome.isFinal ? undefined : again,
      );
    const address = `${jobs}/${outcome.jobId}`;
    row.showJob(address, outcome.kind === 'job');
    if (outcome.kind === 'job') taken += 1;
    // The connection is free: others need not wait for the notification.
    else void follow(row, outcome.jobId, address);
  };

  /** Over the limit of uploads: the file goes back to the head of the queue, and everything waits. */
  const pause = (entry: Queued, seconds: number): void => {
    queue.unshift(entry);
    pausedUntilMs = Math.max(pausedUntilMs, Date.now() + seconds * 1_000);
    const text = fill(words.paused, { seconds: String(seconds) });
    for (const { row } of queue) row.showWaiting(text);
    setTimeout(() => void work(), pausedUntilMs - Date.now() + 50);
  };

  /** Looks for the job of a file that was put by a link. It may have failed: another job has its name by then. */
  const follow = async (row: FileRow, jobId: string, address: string): Promise<void> => {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      const job = await findJob(api, jobId);
      if (!job) continue;
      const refusal = job.status === 'Failed' ? words.refusals[job.errorCode ?? ''] : undefined;
      if (refusal !== undefined) return row.showProblem(refusal);
      row.showJob(address, true);
      taken += 1;
      return showTotals();
    }
  };

  const takeChosen = (): void => {
    choose(input.files ?? []);
    // The same file may be chosen again.
    input.value = '';
  };
  input.addEventListener('change', takeChosen);
  // Somebody was faster than the script.
  takeChosen();
  for (const kind of ['dragenter', 'dragover'] as const)
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add('over');
    });
  for (const kind of ['dragleave', 'drop'] as const)
    drop.addEventListener(kind, () => drop.classList.remove('over'));
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    choose(event.dataTransfer?.files ?? []);
  });
  // A file that is dropped beside the place must not take the page away.
  for (const kind of ['dragover', 'drop'] as const)
    addEventListener(kind, (event) => {
      if (!(event.target instanceof Node && drop.contains(event.target))) event.preventDefault();
    });
  addEventListener('beforeunload', (event) => {
    if (sending > 0 || queue.length > 0) event.preventDefault();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const target = {
      profile: part('profile', HTMLSelectElement).value,
      format: part('format', HTMLSelectElement).value,
    };
    total += chosen.size;
    for (const row of chosen) enqueue({ row, target });
    chosen.clear();
    showTotals();
  });
}
