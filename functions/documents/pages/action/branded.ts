import { type Branding, headStyle } from '../../../../shared/brand/branding.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';

type BrandedOptions = {
  readonly language: Language;
  readonly inLanguage: (language: Language) => string;
  readonly branding: Branding | null;
  /** Another site's frame has a head of its own. */
  readonly isEmbedded: boolean;
};

/** The parts of a page at whose head stands who asks. @example page({ …, ...branded(body, { language, inLanguage, branding, isEmbedded }) }) */
export const branded = (
  body: Markup,
  { language, inLanguage, branding, isEmbedded }: BrandedOptions,
): { readonly body: Markup; readonly showsImages: boolean; readonly inlineStyle: string } =>
  isEmbedded
    ? { body, showsImages: false, inlineStyle: '' }
    : {
        body: renderFrame({
          language,
          body,
          inLanguage,
          customer: branding?.displayName,
          logo: branding?.logoUrl ?? undefined,
        }),
        showsImages: Boolean(branding?.logoUrl),
        inlineStyle: branding ? headStyle(branding) : '',
      };
