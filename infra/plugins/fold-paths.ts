import { type FunctionEvent, type Functions, httpOf } from './framework.ts';

// A path and each of its methods are resources of a stack, which has a limit. Below these folders one function takes all
// that no other one has, and its router (shared/http/router.ts) finds the endpoint by the path itself:
//
//   put  documents/api/organizations/{orgId}/mail       any documents/api/{proxy+}
//   get  documents/api/organizations/{orgId}/members
//   …
const FOLDED: Readonly<Record<string, string>> = {
  'credentials/api': 'credentialsOperations',
  'documents/api': 'documentsOperations',
  'documents/drafts': 'documentsConsole',
  'pki/api': 'pkiSigning',
  'pki/Api': 'pkiSigning',
};

const variable = /^\{\w+\+?\}$/;

/**
 * Whether a gateway chooses one path, or the beginning of it, for what is meant for another: `things/{id}` or
 * `things/{id}/file` for `things/batch`. It then looks for the method there alone.
 */
function covers(path: string, other: string): boolean {
  const [parts, others] = [path.split('/'), other.split('/')];
  return (
    parts.length >= others.length &&
    others.every((part, at) => part === parts[at] || variable.test(parts[at] ?? ''))
  );
}

/** Has a router take whole folders of paths, but for what a path that stays would take from it. */
export function foldPaths(functions: Functions, folders: Readonly<Record<string, string>> = FOLDED): void {
  const pathOf = (event: FunctionEvent): string => httpOf(event)?.path ?? '';
  for (const [folder, name] of Object.entries(folders)) {
    const fn = functions[name];
    if (!fn) continue;
    let folded = fn.events.filter((event) => pathOf(event).startsWith(`${folder}/`));
    for (let size = -1; size !== folded.length; ) {
      size = folded.length;
      const staying = Object.values(functions)
        .flatMap(({ events }) => events)
        .filter((event) => !folded.includes(event))
        .map(pathOf);
      folded = folded.filter((event) => !staying.some((path) => covers(path, pathOf(event))));
    }
    if (folded.length === 0) continue;
    const rest = fn.events.filter((event) => !folded.includes(event));
    fn.events = [...rest, { http: { path: `${folder}/{proxy+}`, method: 'any' } }];
  }
}
