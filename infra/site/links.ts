import { commonSettings } from '../../shared/settings/common.ts';
import { idOf } from './contents.ts';
import type { Visit } from './layout.ts';
import { targetOf } from './library.ts';

const IMAGES = 'docs/images/';
/** What the pages call the engine. The one that serves them may be at another port. */
const ENGINE = 'http://localhost:3000';

/**
 * Where the links and pictures of a page lead on the site: to pages, to files of the repository that pages link to, to the
 * running services, and to other sites.
 * @example linksOf(visit, 'docs/mail.md').linkTo('webhooks.md#retries') // '/docs/webhooks#retries'
 */
export function linksOf({ library, base, suffix, language }: Visit, file: string) {
  const linkTo = (href: string): string | undefined => {
    if (href.startsWith('#')) return href;
    if (href === ENGINE || href.startsWith(`${ENGINE}/`))
      return `${commonSettings['Http:PublicUrl']}${href.slice(ENGINE.length)}`;
    // XSS: no other scheme, such as javascript:.
    if (/^[a-z][a-z\d+.-]*:/i.test(href)) return /^(https?|mailto):/i.test(href) ? href : undefined;
    const [path = '', anchor] = href.split('#');
    const target = targetOf(file, path);
    const hash = anchor === undefined ? '' : `#${anchor}`;
    const [, service] = /^functions\/(\w+)\/openapi\.json$/.exec(target) ?? [];
    if (service) return `${commonSettings['Http:PublicUrl']}/${service}/openapi/v1.json`;
    const page = [target, `${target}/README.md`]
      .map(idOf)
      .find((id) => library.page(id, language)?.id === id);
    if (page !== undefined) return `${base}/${page}${suffix}${hash}`;
    return library.sources.has(target) ? `${base}/source/${target}${suffix}` : undefined;
  };
  const imageAt = (href: string): string | undefined => {
    const target = targetOf(file, href);
    return target.startsWith(IMAGES) ? `${base}/images/${target.slice(IMAGES.length)}` : undefined;
  };
  return { linkTo, imageAt };
}
