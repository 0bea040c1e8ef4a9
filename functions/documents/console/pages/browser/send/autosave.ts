import { apiAt, RequestRefused } from '../../../../../../shared/ui/browser/api.ts';
import { part } from '../../../../../../shared/ui/browser/element.ts';
import { language } from '../../../../../../shared/ui/browser/page-language.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';

const words = translations({
  saving: { en: 'Saving…', 'pt-BR': 'Salvando…' },
  saved: { en: 'The draft is saved.', 'pt-BR': 'O rascunho está salvo.' },
  notSaved: {
    en: 'Not saved yet. Check your internet: it is tried again.',
    'pt-BR': 'Ainda não foi salvo. Verifique sua internet: haverá nova tentativa.',
  },
  changed: {
    en: 'Somebody else, or another window, has changed this draft meanwhile. Press “Save the draft” to see what to do; nothing that you typed is lost.',
    'pt-BR':
      'Outra pessoa, ou outra janela, alterou este rascunho enquanto isso. Aperte “Salvar o rascunho” para ver o que fazer; nada do que você digitou se perde.',
  },
})(language);

// After the last key. Shorter is more requests, longer is more to lose.
const SAVED_AFTER_MS = 900;
const TRIED_AGAIN_AFTER_MS = 5_000;

type Changed = { readonly version: string };

/** Saves the form as it is changed. One save is under way at a time, and each names the version before it. */
export function wireAutosave(form: HTMLFormElement) {
  const api = apiAt((form.dataset.changes ?? '').replace(/\/changes$/, ''));
  const version = part('version', HTMLInputElement);
  const status = part('saving', HTMLParagraphElement);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let [isDirty, isStopped] = [false, false];

  const save = async (): Promise<void> => {
    if (!isDirty || isStopped) return;
    isDirty = false;
    status.textContent = words.saving;
    try {
      const saved = await api<Changed>('changes', { version: version.value, fields: fieldsOf(form) });
      version.value = saved.version;
      status.textContent = words.saved;
    } catch (error) {
      isDirty = true;
      isStopped = error instanceof RequestRefused;
      status.textContent = isStopped ? words.changed : words.notSaved;
      if (!isStopped) timer = setTimeout(saveNow, TRIED_AGAIN_AFTER_MS);
    }
  };
  const saveNow = (): Promise<void> => {
    clearTimeout(timer);
    underWay = underWay.then(save);
    return underWay;
  };
  form.addEventListener('input', () => {
    isDirty = true;
    clearTimeout(timer);
    timer = setTimeout(saveNow, SAVED_AFTER_MS);
  });
  // The form itself saves what is typed: with the version of the save that is under way.
  form.addEventListener('submit', (event) => {
    clearTimeout(timer);
    const { submitter } = event;
    let isWaited = false;
    event.preventDefault();
    void underWay.then(() => {
      if (isWaited) return;
      isWaited = true;
      const pressed = document.createElement('input');
      if (submitter instanceof HTMLButtonElement) {
        Object.assign(pressed, { type: 'hidden', name: submitter.name, value: submitter.value });
        form.append(pressed);
      }
      form.submit();
    });
  });
  return { saveNow };
}

function fieldsOf(form: HTMLFormElement): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string') fields[name] = [...(fields[name] ?? []), value];
  return fields;
}
