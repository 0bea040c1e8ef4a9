import { type Answer, CANNOT_RUN, file } from '../../../shared/http/response/answer.ts';
import type { RestampData } from '../items/domain/data.ts';
import { type Item, requireItem } from '../items/domain/item.ts';
import { KIND_PATHS, type KindName, kindAtPath } from '../items/domain/kinds.ts';
import { openItemFile } from '../items/domain/open-file.ts';
import { TOKEN_MEDIA_TYPE } from '../items/vocabulary.ts';
import { openToken } from '../restamps/domain/open-token.ts';
import { isInScope } from '../tenants/domain/organization.ts';
import type { Params, Visit } from './visit.ts';

const XML = 'application/xml';

const find = ({ caller }: Visit, kind: KindName, id: string) =>
  requireItem(kind, id, ({ organizationId }) => isInScope(caller, organizationId));

async function openXml(visit: Visit, kind: KindName, { id = '', name = '', type }: Params): Promise<Answer> {
  const item = await find(visit, kind, id);
  const opened = await openItemFile(item, name, type === 'Signed' ? 'Signed' : 'Original');
  return file(opened.stream, XML, { name: opened.fileName, headers: CANNOT_RUN });
}

async function openTokenOf(visit: Visit, { id = '' }: Params): Promise<Answer> {
  const restamp = (await find(visit, 'restamp', id)) as Item<RestampData>;
  const { bytes, fileName } = await openToken(restamp);
  return file(bytes, TOKEN_MEDIA_TYPE, { name: fileName, headers: CANNOT_RUN });
}

/** The files of the console, by their paths below `contents/`. Whoever may see items may have them. */
export const CONTENTS: Readonly<Record<string, (visit: Visit, params: Params) => Promise<Answer>>> = {
  ...Object.fromEntries(
    KIND_PATHS.map((path) => [
      `${path}/{id}/{name}/{type}`,
      (visit: Visit, params: Params) => openXml(visit, kindAtPath(path), params),
    ]),
  ),
  'restamps/{id}/token': openTokenOf,
};
