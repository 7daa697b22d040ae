/** Texts of the page on certificates and devices. Part of `texts.ts`, split for its length. */

/** The English texts. */
export const trust = {
  title: "Trust this realm",
  page: "Trust this realm · Stoa",
  why: "This realm made its certificate itself, so no other device knows it yet. Install it once: then browsers show no warning, and the page can be installed as an app. It is good for this realm's own addresses only, not for the web.",
  thisDevice: "This device",
  check: "Check again",
  checking: "Checking …",
  states: {
    trusted: "This device trusts the realm. There is nothing left to do.",
    untrusted: "This device does not trust the realm yet. Follow the steps below, then check again.",
    own: "This is the realm's own machine: it needs nothing.",
    plain: "This page came without encryption. Open it by the address that begins with https.",
    unknown: "This browser does not say whether it trusts the realm. Where it shows no warning, all is well.",
  },
  elsewhere: "Open this page on the other device:",
  nowhere: "Other devices don't reach this realm: it listens to this machine alone.",
  quick: "Movements of others come the quickest way.",
  slower: "This browser gets movements of others by a slower way; all else is the same.",
  download: "Download the certificate",
  fingerprint: "Its fingerprint (SHA-256):",
  compare: "To be sure that it is the realm's, compare the fingerprint with this page on the realm's own machine.",
  steps: "Then, on",
  devices: {
    android: {
      name: "Android",
      steps: [
        "Open Settings and search for: CA certificate.",
        "Choose Install a certificate, then CA certificate, then Install anyway.",
        "Choose the file stoa-ca.crt in your downloads.",
        "Come back to this page and load it again.",
      ],
    },
    ios: {
      name: "iPhone and iPad",
      steps: [
        "Allow the download of the profile.",
        "Open Settings, then Profile Downloaded, and install it.",
        "In Settings choose General, About, Certificate Trust Settings, and switch this realm on.",
        "Come back to this page and load it again.",
      ],
    },
    quest: {
      name: "Meta Quest",
      steps: [
        "The headset has no place for certificates of one's own. Open the realm's address in its browser.",
        "At the warning choose Advanced, then Proceed. Once for each address.",
        "Walking, hands and VR work that way; only installing the page as an app does not.",
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
        "Open the file stoa-ca.crt: Keychain Access takes it.",
        "Double-click the entry of this realm, open Trust, and choose Always Trust.",
        "Close the browser, and open this page again.",
      ],
    },
    linux: {
      name: "Linux, and Firefox anywhere",
      steps: [
        "Chromium: open chrome://certificate-manager, choose Custom, then Installed by you, and import the file under Trusted Certificates.",
        "Firefox: open Settings, search for certificates, choose View Certificates, Authorities, Import, and tick that it identifies websites.",
        "Come back to this page and load it again.",
      ],
    },
  },
};
