# A Nix flake. Copy it to the root of the source tree: `nix build`, `nix run . -- demo`, `nix develop`.
{
  description = "Probity: deep research that vets its sources";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "probity";
          version = "0.1.0";
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          buildType = "dist";
          cargoBuildFlags = [ "--package" "probity" ];
          # The tests start servers and browsers; `scripts/test` runs them.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            installShellCompletion --cmd probity \
              --bash <($out/bin/probity completions bash) \
              --zsh <($out/bin/probity completions zsh) \
              --fish <($out/bin/probity completions fish)
            mkdir man && $out/bin/probity man --dir man && installManPage man/*.1
          '';
          meta = {
            description = "Deep research that vets its sources";
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "probity";
          };
        };
      });

      devShells = each (pkgs: {
        default = pkgs.mkShell { packages = [ pkgs.cargo pkgs.rustc pkgs.clippy pkgs.rustfmt pkgs.cargo-nextest pkgs.postgresql ]; };
      });
    };
}
