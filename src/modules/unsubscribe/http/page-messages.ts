/**
 * Texts of the page of an unsubscribe link, by language. `{sender}` stands for the workspace's sender name, `{until}`
 * for a date.
 */
import type { Language } from '../../preferences/domain/language.js';

export interface PageMessages {
  /** Replaces the name of a sender that has none. */
  readonly sender: string;
  readonly question: string;
  readonly consequence: string;
  readonly unsubscribe: string;
  readonly done: string;
  readonly doneText: string;
  readonly choose: string;
  readonly topics: string;
  readonly save: string;
  readonly pauseHeading: string;
  readonly pauseText: string;
  readonly pause: string;
  readonly pausedText: string;
  readonly resume: string;
  readonly resubscribeHeading: string;
  readonly resubscribeText: string;
  readonly subscribe: string;
  readonly invalid: string;
  readonly invalidText: string;
  /** Result of a form; `paused` is also used as a heading. */
  readonly saved: string;
  readonly paused: string;
  readonly resumed: string;
  readonly welcome: string;
  readonly tooOften: string;
  readonly notNow: string;
}

export const PAGE_MESSAGES: Readonly<Record<Language, PageMessages>> = {
  en: {
    sender: 'this sender',
    question: 'Unsubscribe?',
    consequence: 'You will then receive no more emails from {sender}.',
    unsubscribe: 'Unsubscribe from all',
    done: 'You are unsubscribed',
    doneText: '{sender} will no longer email you.',
    choose: 'Or choose what you receive',
    topics: 'Send me emails about',
    save: 'Save choices',
    pauseHeading: 'Or take a break',
    pauseText: 'For 30 days you will receive no news or offers. Your choices are kept.',
    pause: 'Pause for 30 days',
    pausedText: 'Paused until {until}.',
    resume: 'End the pause',
    resubscribeHeading: 'Changed your mind?',
    resubscribeText: 'You can receive emails from {sender} again.',
    subscribe: 'Subscribe again',
    invalid: 'This link is not valid',
    invalidText: 'It may be incomplete. Please open it from the email again.',
    saved: 'Your choices are saved.',
    paused: 'Your emails are paused',
    resumed: 'The pause has ended.',
    welcome: 'You are subscribed again.',
    tooOften: 'This was changed too often today. Please try again tomorrow.',
    notNow: 'This is no longer possible. Your current settings are shown below.',
  },
  de: {
    sender: 'dieser Absender',
    question: 'Abmelden?',
    consequence: 'Sie erhalten dann keine E-Mails von {sender} mehr.',
    unsubscribe: 'Von allem abmelden',
    done: 'Sie sind abgemeldet',
    doneText: 'Sie erhalten keine E-Mails von {sender} mehr.',
    choose: 'Oder wählen Sie aus, was Sie erhalten',
    topics: 'Senden Sie mir E-Mails zu',
    save: 'Auswahl speichern',
    pauseHeading: 'Oder legen Sie eine Pause ein',
    pauseText: '30 Tage lang erhalten Sie keine Neuigkeiten und Angebote; Ihre Auswahl bleibt erhalten.',
    pause: '30 Tage pausieren',
    pausedText: 'Pausiert bis {until}.',
    resume: 'Pause beenden',
    resubscribeHeading: 'Doch anders überlegt?',
    resubscribeText: 'Sie können wieder E-Mails von {sender} erhalten.',
    subscribe: 'Wieder anmelden',
    invalid: 'Dieser Link ist ungültig',
    invalidText: 'Vielleicht ist er unvollständig. Bitte öffnen Sie ihn noch einmal aus der E-Mail.',
    saved: 'Ihre Auswahl ist gespeichert.',
    paused: 'Ihre E-Mails sind pausiert',
    resumed: 'Die Pause ist beendet.',
    welcome: 'Sie sind wieder angemeldet.',
    tooOften: 'Das wurde heute sehr oft geändert. Bitte versuchen Sie es morgen noch einmal.',
    notNow: 'Das ist nicht mehr möglich. Unten sehen Sie den aktuellen Stand.',
  },
  fr: {
    sender: 'cet expéditeur',
    question: 'Se désabonner ?',
    consequence: 'Vous ne recevrez plus d’e-mails de {sender}.',
    unsubscribe: 'Se désabonner de tout',
    done: 'Vous êtes désabonné(e)',
    doneText: 'Vous ne recevrez plus d’e-mails de {sender}.',
    choose: 'Ou choisissez ce que vous recevez',
    topics: 'M’envoyer des e-mails sur',
    save: 'Enregistrer mes choix',
    pauseHeading: 'Ou faites une pause',
    pauseText: 'Pendant 30 jours, vous ne recevez ni actualités ni offres ; vos choix sont conservés.',
    pause: 'Suspendre pendant 30 jours',
    pausedText: 'Suspendu jusqu’au {until}.',
    resume: 'Mettre fin à la pause',
    resubscribeHeading: 'Vous avez changé d’avis ?',
    resubscribeText: 'Vous pouvez recevoir à nouveau les e-mails de {sender}.',
    subscribe: 'Se réabonner',
    invalid: 'Ce lien n’est pas valide',
    invalidText: 'Il est peut-être incomplet. Veuillez l’ouvrir de nouveau depuis l’e-mail.',
    saved: 'Vos choix sont enregistrés.',
    paused: 'Vos e-mails sont suspendus',
    resumed: 'La pause est terminée.',
    welcome: 'Vous êtes de nouveau abonné(e).',
    tooOften: 'Ces choix ont été modifiés très souvent aujourd’hui. Veuillez réessayer demain.',
    notNow: 'Ce n’est plus possible. Vous voyez l’état actuel ci-dessous.',
  },
  es: {
    sender: 'este remitente',
    question: '¿Cancelar la suscripción?',
    consequence: 'Ya no recibirá correos de {sender}.',
    unsubscribe: 'Cancelar todo',
    done: 'Su suscripción está cancelada',
    doneText: 'Ya no recibirá correos de {sender}.',
    choose: 'O elija lo que recibe',
    topics: 'Enviarme correos sobre',
    save: 'Guardar la selección',
    pauseHeading: 'O tómese un descanso',
    pauseText: 'Durante 30 días no recibirá novedades ni ofertas; su selección se conserva.',
    pause: 'Pausar durante 30 días',
    pausedText: 'En pausa hasta el {until}.',
    resume: 'Terminar la pausa',
    resubscribeHeading: '¿Ha cambiado de opinión?',
    resubscribeText: 'Puede volver a recibir correos de {sender}.',
    subscribe: 'Volver a suscribirse',
    invalid: 'Este enlace no es válido',
    invalidText: 'Puede que esté incompleto. Ábralo de nuevo desde el correo.',
    saved: 'Su selección está guardada.',
    paused: 'Sus correos están en pausa',
    resumed: 'La pausa ha terminado.',
    welcome: 'Vuelve a estar suscrito.',
    tooOften: 'Esto se ha cambiado muchas veces hoy. Inténtelo de nuevo mañana.',
    notNow: 'Esto ya no es posible. Abajo puede ver el estado actual.',
  },
  it: {
    sender: 'questo mittente',
    question: 'Annullare l’iscrizione?',
    consequence: 'Non riceverà più e-mail da {sender}.',
    unsubscribe: 'Annulla tutte le iscrizioni',
    done: 'L’iscrizione è annullata',
    doneText: 'Non riceverà più e-mail da {sender}.',
    choose: 'Oppure scelga che cosa ricevere',
    topics: 'Inviatemi e-mail su',
    save: 'Salva le scelte',
    pauseHeading: 'Oppure faccia una pausa',
    pauseText: 'Per 30 giorni non riceverà novità né offerte; le sue scelte restano invariate.',
    pause: 'Sospendi per 30 giorni',
    pausedText: 'Sospeso fino al {until}.',
    resume: 'Termina la pausa',
    resubscribeHeading: 'Ha cambiato idea?',
    resubscribeText: 'Può tornare a ricevere le e-mail di {sender}.',
    subscribe: 'Iscriviti di nuovo',
    invalid: 'Questo link non è valido',
    invalidText: 'Forse è incompleto. Lo apra di nuovo dall’e-mail.',
    saved: 'Le sue scelte sono salvate.',
    paused: 'Le sue e-mail sono sospese',
    resumed: 'La pausa è terminata.',
    welcome: 'È di nuovo iscritto.',
    tooOften: 'Oggi le scelte sono state cambiate molte volte. Riprovi domani.',
    notNow: 'Non è più possibile. Qui sotto vede lo stato attuale.',
  },
  nl: {
    sender: 'deze afzender',
    question: 'Afmelden?',
    consequence: 'U ontvangt dan geen e-mails van {sender} meer.',
    unsubscribe: 'Voor alles afmelden',
    done: 'U bent afgemeld',
    doneText: 'U ontvangt geen e-mails van {sender} meer.',
    choose: 'Of kies wat u ontvangt',
    topics: 'Stuur mij e-mails over',
    save: 'Keuze opslaan',
    pauseHeading: 'Of neem een pauze',
    pauseText: 'U ontvangt 30 dagen lang geen nieuws en aanbiedingen; uw keuze blijft bewaard.',
    pause: '30 dagen pauzeren',
    pausedText: 'Gepauzeerd tot {until}.',
    resume: 'Pauze beëindigen',
    resubscribeHeading: 'Toch van gedachten veranderd?',
    resubscribeText: 'U kunt weer e-mails van {sender} ontvangen.',
    subscribe: 'Weer aanmelden',
    invalid: 'Deze link is niet geldig',
    invalidText: 'Misschien is hij onvolledig. Open hem opnieuw vanuit de e-mail.',
    saved: 'Uw keuze is opgeslagen.',
    paused: 'Uw e-mails zijn gepauzeerd',
    resumed: 'De pauze is beëindigd.',
    welcome: 'U bent weer aangemeld.',
    tooOften: 'Dit is vandaag heel vaak gewijzigd. Probeer het morgen opnieuw.',
    notNow: 'Dit is niet meer mogelijk. Hieronder ziet u de huidige stand.',
  },
  pt: {
    sender: 'este remetente',
    question: 'Cancelar a subscrição?',
    consequence: 'Deixará de receber e-mails de {sender}.',
    unsubscribe: 'Cancelar tudo',
    done: 'A sua subscrição está cancelada',
    doneText: 'Já não receberá e-mails de {sender}.',
    choose: 'Ou escolha o que recebe',
    topics: 'Enviar-me e-mails sobre',
    save: 'Guardar as escolhas',
    pauseHeading: 'Ou faça uma pausa',
    pauseText: 'Durante 30 dias não receberá novidades nem ofertas; as suas escolhas mantêm-se.',
    pause: 'Pausar durante 30 dias',
    pausedText: 'Em pausa até {until}.',
    resume: 'Terminar a pausa',
    resubscribeHeading: 'Mudou de ideias?',
    resubscribeText: 'Pode voltar a receber e-mails de {sender}.',
    subscribe: 'Subscrever de novo',
    invalid: 'Esta ligação não é válida',
    invalidText: 'Pode estar incompleta. Abra-a de novo a partir do e-mail.',
    saved: 'As suas escolhas foram guardadas.',
    paused: 'Os seus e-mails estão em pausa',
    resumed: 'A pausa terminou.',
    welcome: 'A sua subscrição está de novo ativa.',
    tooOften: 'Isto foi alterado muitas vezes hoje. Tente de novo amanhã.',
    notNow: 'Isto já não é possível. Abaixo vê o estado atual.',
  },
};
