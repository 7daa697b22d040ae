/** Texts of the page on certificates and devices. Part of `texts.ts`, split for its length. */

/** The English texts on certificates and devices. */
export const trust = {
  title: "Trust this server",
  page: "Trust this server · Stoa",
  why: "This server uses its own certificate, which other devices don't trust yet. Install it once to remove browser warnings and to be able to install Stoa as an app. The certificate is valid only for this server.",
  thisDevice: "This device",
  check: "Check again",
  checking: "Checking…",
  states: {
    trusted: "This device trusts the server. You're done.",
    untrusted: "This device doesn't trust the server yet. Follow the steps below, then check again.",
    own: "This is the server itself. You don't need the certificate here.",
    plain: "This page was loaded without encryption. Open the address that begins with https.",
    unknown: "This browser doesn't say whether it trusts the server. If it shows no warning, you're done.",
  },
  elsewhere: "To set up a phone, headset or computer, open this page on it:",
  nowhere: "Other devices can't reach this server: it accepts connections from this machine only.",
  quick: "Connection: WebTransport (fastest)",
  slower: "Connection: WebSocket. Other people's movements may arrive a little later.",
  download: "Download the certificate",
  fingerprint: "Its fingerprint (SHA-256):",
  compare: "To verify the certificate, compare this fingerprint with the one on this page on the server's own machine.",
  steps: "Then follow the steps for your device",
  devices: {
    android: {
      name: "Android",
      steps: [
        "Open Settings and search for “CA certificate”.",
        "Choose Install a certificate, CA certificate, Install anyway.",
        "Choose the file stoa-ca.crt in your downloads.",
        "Return to this page and reload it.",
      ],
    },
    ios: {
      name: "iPhone and iPad",
      steps: [
        "Allow the download of the profile.",
        "Open Settings, then Profile Downloaded, and install it.",
        "In Settings, choose General, About, Certificate Trust Settings, and turn on this server.",
        "Return to this page and reload it.",
      ],
    },
    quest: {
      name: "Meta Quest",
      steps: [
        "The headset can't install certificates. Open the server's address in its browser.",
        "At the warning, choose Advanced, then Proceed. Do this once for each address.",
        "Walking, hands and VR work. Only installing the page as an app doesn't.",
      ],
    },
    windows: {
      name: "Windows",
      steps: [
        "Open the file stoa-ca.crt and choose Install Certificate.",
        "Choose Current User, then Place all certificates in the following store.",
        "Choose Trusted Root Certification Authorities, and confirm.",
        "Close the browser, and open this page again.",
      ],
    },
    macos: {
      name: "Mac",
      steps: [
        "Open the file stoa-ca.crt: Keychain Access imports it.",
        "Double-click the entry of this server, open Trust, and choose Always Trust.",
        "Close the browser, and open this page again.",
      ],
    },
    linux: {
      name: "Linux, and Firefox on any system",
      steps: [
        "Chromium: open chrome://certificate-manager, choose Custom, then Installed by you, and import the file under Trusted Certificates.",
        "Firefox: open Settings, search for certificates, choose View Certificates, Authorities, Import, and tick that it identifies websites.",
        "Return to this page and reload it.",
      ],
    },
  },
};
