/** Chooses plural forms by the language's own rules. */

/** The forms of a phrase by plural category (CLDR). `#` stands for the number. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** The function that counts in a language: `plural(2, { one: "# file", other: "# files" })` gives `2 files`. */
export function pluralsOf(language: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll("#", numbers.format(count));
}
