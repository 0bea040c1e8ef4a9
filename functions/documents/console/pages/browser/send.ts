import { wireAutosave } from './send/autosave.ts';
import { wirePeople } from './send/people.ts';
import { wireUploads } from './send/uploads.ts';

// The pages on which documents are sent. All of them work without this: it saves as people type, shows how far uploads
// are, and fills in people who were used before.
const form = document.querySelector<HTMLFormElement>('#draft');
const autosave = form ? wireAutosave(form) : undefined;
if (form) wirePeople(form);
wireUploads(async () => autosave?.saveNow());
// A page that is gone back to is older than what was saved on the next one.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
