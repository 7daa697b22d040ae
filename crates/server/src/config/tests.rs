use clap::Args;

use super::*;

fn listens(text: &str) -> Vec<String> {
    let settings = PartialConfig { http: Some(text.to_owned()), ..PartialConfig::default() };
    settings.resolve().unwrap().http.addresses.iter().map(ToString::to_string).collect()
}

#[test]
fn the_defaults_are_those_of_the_design() {
    let config = PartialConfig::default().resolve().unwrap();
    let text = |listen: &EndpointListenAddresses| {
        listen.addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(text(&config.https), "[::]:8443");
    assert_eq!(text(&config.http), "127.0.0.1:8080 [::1]:8080");
    assert_eq!(text(&config.mqtts), "[::]:8883");
    assert_eq!(text(&config.mqtt), "127.0.0.1:1883 [::1]:1883");
    assert_eq!(text(&config.admin), "127.0.0.1:8445 [::1]:8445");
    assert_eq!(config.data, PathBuf::from("./stoa-data"));
}

#[test]
fn an_address_may_be_a_port_or_off() {
    assert_eq!(listens("9000"), ["127.0.0.1:9000", "[::1]:9000"]);
    assert_eq!(listens("127.0.0.1:0"), ["127.0.0.1:0"]);
    assert_eq!(listens("localhost:81"), ["127.0.0.1:81"]);
    assert!(listens("off").is_empty());
}

#[test]
fn plain_doors_refuse_addresses_that_are_not_loopback() {
    let settings = PartialConfig { http: Some("0.0.0.0:8080".to_owned()), ..PartialConfig::default() };
    let error = settings.resolve().unwrap_err().to_string();
    assert!(error.contains("--http is 0.0.0.0:8080"), "{error}");
}

#[test]
fn a_flag_wins_over_the_file() {
    let file: PartialConfig = toml::from_str("https = \"9443\"\nopen = false\npublic_host = \"a.example\"").unwrap();
    let flags = PartialConfig { https: Some("7443".to_owned()), ..PartialConfig::default() };
    let config = flags.over(file).resolve().unwrap();
    assert_eq!(config.https.addresses[0].port(), 7443);
    assert!(!config.open);
    assert_eq!(config.public_host.as_deref(), Some("a.example"));
}

#[test]
fn a_key_that_is_not_ours_is_refused() {
    assert!(toml::from_str::<PartialConfig>("htps = \"9443\"").is_err());
}

#[test]
fn a_public_host_carries_no_port() {
    let settings = PartialConfig { public_host: Some("a.example:8443".to_owned()), ..PartialConfig::default() };
    assert!(settings.resolve().is_err());
}

#[test]
fn the_database_has_a_smallest_ceiling() {
    let resolved = |mib| PartialConfig { database_mib: Some(mib), ..PartialConfig::default() }.resolve();
    assert_eq!(resolved(64).unwrap().database_bytes_max, 64 << 20);
    assert_eq!(resolved(63).unwrap_err().to_string(), "--database-mib is 63; it takes at least 64");
}

#[test]
fn hosts_of_files_are_names() {
    let settings = PartialConfig { file_hosts: Some("https://cdn.example".to_owned()), ..PartialConfig::default() };
    let error = settings.resolve().unwrap_err().to_string();
    assert!(error.starts_with("--file-hosts has \"https://cdn.example\""), "{error}");
}

#[test]
fn the_operators_page_names_every_flag_and_policy() {
    let page = include_str!("../../../../docs/operator.md");
    let command = PartialConfig::augment_args(clap::Command::new("serve"));
    let flags: Vec<String> =
        command.get_arguments().filter_map(|argument| argument.get_long()).map(|name| format!("`--{name}")).collect();
    assert!(flags.len() > 10, "{flags:?}");
    let missing: Vec<&String> = flags.iter().filter(|flag| !page.contains(flag.as_str())).collect();
    assert_eq!(missing, Vec::<&String>::new(), "flags that docs/operator.md does not name");
    for policy in InterestSetPolicy::SAMPLES {
        let row = format!("\n| `{}", policy.name());
        assert!(page.contains(&row), "docs/operator.md has no row for the policy {}", policy.name());
    }
}
