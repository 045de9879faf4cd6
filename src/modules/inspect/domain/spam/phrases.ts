/**
 * Phrases that filters count, by topic, with the points for each. The list is short on purpose: words that legitimate
 * mail needs every day (free, offer, sale) are not in it on their own. It covers English, and the usual phrases of
 * German, French, Spanish, Italian, Dutch and Portuguese.
 */
import type { RuleName } from '../rules/catalogue.js';

export type PhraseRule = Extract<RuleName, `phrase_${string}`>;

interface PhraseGroup {
  readonly rule: PhraseRule;
  readonly points: number;
  /** A blank matches any white space; an apostrophe matches both forms of it. */
  readonly phrases: readonly string[];
}

const listOf = (text: string): string[] => text.split('|').map((phrase) => phrase.trim());

export const PHRASE_GROUPS: readonly PhraseGroup[] = [
  {
    rule: 'phrase_pressure',
    points: 0.5,
    phrases: listOf(
      "act now|act immediately|act fast|apply now|buy now|call now|don't delay|don't hesitate|do it today|expires today|hurry up|" +
        'instant access|last chance|limited time offer|limited time only|offer expires|once in a lifetime|only a few left|' +
        'order now|supplies are limited|take action now|this is not spam|time is running out|urgent response|while supplies last|' +
        "what are you waiting for|you won't believe|respond immediately|jetzt zuschlagen|nur noch heute|nur für kurze Zeit|" +
        'letzte Chance|schnell sein lohnt|agissez maintenant|dernière chance|offre limitée|durée limitée|actúe ahora|' +
        'última oportunidad|oferta limitada|por tiempo limitado|agisci ora|ultima occasione|offerta limitata|laatste kans|' +
        'handel nu|alleen vandaag|última chance|compre agora',
    ),
  },
  {
    rule: 'phrase_money',
    points: 1,
    phrases: listOf(
      'additional income|be your own boss|cash bonus|cents on the dollar|consolidate debt|consolidate your debt|debt free|' +
        'double your income|double your money|double your cash|earn extra cash|earn extra income|earn money|easy money|' +
        'eliminate debt|extra cash|extra income|fast cash|financial freedom|get out of debt|get paid|get rich quick|home based business|' +
        'income from home|increase your income|lower interest rates?|make money fast|make money|million dollars|million euros|' +
        'money making|no credit check|online biz opportunity|passive income|potential earnings|pure profit|refinance your|' +
        'serious cash|unsecured credit|work from home|working from home opportunity|inheritance fund|next of kin|' +
        "schnelles Geld|Geld verdienen|Nebenverdienst|ohne Schufa|reich werden|argent facile|gagnez de l'argent|revenu supplémentaire|" +
        'dinero fácil|gana dinero|ganar dinero|ingresos extra|guadagna da casa|soldi facili|snel geld verdienen|ganhe dinheiro|' +
        'dinheiro fácil',
    ),
  },
  {
    rule: 'phrase_prize',
    points: 1.5,
    phrases: listOf(
      "claim your prize|claim your reward|congratulations you won|congratulations, you've won|congratulations you've won|free gift|" +
        'free prize|free iphone|free vacation|gift card worth|lucky winner|prize money|prize winner|selected winner|you are a winner|' +
        "you're a winner|you are the winner|you have been chosen|you have been selected|you have won|you've been selected|you've won|" +
        'winning notification|lottery winner|Sie haben gewonnen|Gewinnbenachrichtigung|Ihr Gewinn|Gratisgeschenk|vous avez gagné|' +
        'cadeau gratuit|has ganado|ha ganado|regalo gratis|hai vinto|premio gratis|je hebt gewonnen|gratis cadeau|você ganhou',
    ),
  },
  {
    rule: 'phrase_claim',
    points: 0.7,
    phrases: listOf(
      '100% free|100% satisfied|100% satisfaction|100% guaranteed|absolutely free|all natural miracle|as seen on tv|cancel at any time|' +
        'completely free|best price ever|guaranteed results|incredible deal|lowest price ever|miracle|money back guarantee|' +
        'no catch|no cost|no fees|no gimmick|no hidden costs?|no investment|no obligation|no purchase necessary|no questions asked|' +
        'no strings attached|promise you|risk free|risk-free|satisfaction guaranteed|secret formula|too good to be true|' +
        'unbelievable offer|unlimited income|will not believe your eyes|100 % kostenlos|garantiert kostenlos|ohne Risiko|völlig kostenlos|' +
        'Geld-zurück-Garantie|100 % gratuit|entièrement gratuit|sans engagement aucun|sans risque|100% gratis|completamente gratis|' +
        'sin riesgo|senza rischi|totalmente gratuito|volledig gratis|zonder risico|sem risco',
    ),
  },
  {
    rule: 'phrase_account',
    points: 2,
    phrases: listOf(
      'account has been limited|account has been locked|account has been suspended|account will be closed|account will be suspended|' +
        'confirm your account details|confirm your bank details|confirm your identity immediately|confirm your password|' +
        'unusual activity on your account|update your billing information immediately|update your payment details now|' +
        'verify your account information|verify your bank|verify your identity immediately|verify your password|' +
        'your mailbox is full|mailbox quota exceeded|wire transfer|social security number|Ihr Konto wurde gesperrt|Ihr Konto wurde eingeschränkt|' +
        'bestätigen Sie Ihr Passwort|bestätigen Sie Ihre Kontodaten|votre compte a été suspendu|votre compte a été limité|' +
        'confirmez votre mot de passe|su cuenta ha sido suspendida|su cuenta ha sido bloqueada|confirme su contraseña|' +
        'il tuo conto è stato sospeso|conferma la tua password|uw account is geblokkeerd|sua conta foi suspensa|confirme sua senha',
    ),
  },
  {
    rule: 'phrase_medicine',
    points: 2,
    phrases: listOf(
      'burn fat fast|buy cialis|buy viagra|canadian pharmacy|cheap meds|cialis|erectile dysfunction|fast weight loss|hair loss cure|' +
        'human growth hormone|lose weight fast|lose weight while you sleep|male enhancement|no prescription needed|no prescription required|' +
        'online pharmacy|penis enlargement|reverses aging|stop snoring|tramadol|valium|viagra|weight loss miracle|without a prescription|' +
        'xanax|Abnehmen im Schlaf|Potenzmittel|ohne Rezept|sans ordonnance|sin receta|senza ricetta|zonder recept|sem receita',
    ),
  },
  {
    rule: 'phrase_gambling',
    points: 1,
    phrases: listOf(
      'bitcoin doubler|casino bonus|crypto giveaway|double your bitcoin|free spins|guaranteed crypto returns|initial coin offering|' +
        'no deposit bonus|online betting|online casino|pump and dump|sure bet|token presale|Casino-Bonus|Freispiele|casino en ligne|' +
        'casino en línea|tiradas gratis|casinò online|giri gratis|gratis spins|cassino online|apostas online',
    ),
  },
  {
    rule: 'phrase_adult',
    points: 2,
    phrases: listOf(
      'adult dating|barely legal|hot singles|hot girls|lonely wives|meet singles|nude pics|porn|sexy singles|singles in your area|xxx|' +
        'heiße Singles|Sexkontakte|plan cul|rencontres coquines|chicas calientes|ragazze calde|geile singles',
    ),
  },
];

interface FoundPhrase {
  readonly rule: PhraseRule;
  readonly phrase: string;
  readonly index: number;
  readonly length: number;
}

const MATCHERS = PHRASE_GROUPS.map(({ rule, phrases }) => {
  const patterns = phrases.map((phrase) => phrase.replaceAll(' ', '\\s{1,9}').replaceAll("'", "['’]"));
  return {
    rule,
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'giu'),
  };
});

/** Each phrase once, at its first position; in the order of the groups, then of the text. */
export function phrasesIn(text: string): FoundPhrase[] {
  return MATCHERS.flatMap(({ rule, pattern }) => {
    const found = new Map<string, FoundPhrase>();
    for (const { 0: match, index } of text.matchAll(pattern)) {
      const phrase = match.toLowerCase().replace(/\s+/g, ' ').replaceAll('’', "'");
      if (!found.has(phrase)) found.set(phrase, { rule, phrase, index, length: match.length });
    }
    return [...found.values()];
  });
}
